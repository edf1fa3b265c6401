#!/usr/bin/env node
// The real Claude Code client, a mock model, and our binary as its hook. Three proofs: without a hook the reset runs (or the
// test proves nothing), with the hook the file stays dirty and the model is told our reason, and a harmless command still runs.
import path from 'node:path';
import { spawnSync } from 'node:child_process';

const here = path.dirname(new URL(import.meta.url).pathname);
const binary = process.env.SEKISHO_UNDER_TEST;
const driver = path.join(here, 'mock-llm', 'drive.mjs');
let failed = 0;

function run(...words) {
  const result = spawnSync(process.execPath, [driver, 'claude', '--opt', 'allow=Bash', ...words], { encoding: 'utf8' });
  if (result.status !== 0) throw new Error(`the driver failed: ${result.stderr}`);
  return JSON.parse(result.stdout);
}

function check(name, holds, run) {
  console.log(`${holds ? 'ok  ' : 'FAIL'} claude-code: ${name} (${run.secs.toFixed(1)} s)`);
  if (!holds) {
    failed += 1;
    console.log(JSON.stringify({ results: run.tool_results, stdout: run.stdout, stderr: run.stderr }, null, 1));
  }
}

const told = (run) => JSON.stringify(run.tool_results ?? []);
const hook = ['--hook-cmd', `${binary} hook claude-code --home "$HOME"`];

let result = run('--no-hook');
check('without a hook the reset runs', result.reset_ran, result);

result = run(...hook);
check('with the hook the work stays and the model is told why', !result.reset_ran && told(result).includes('git.reset-hard'), result);

result = run(...hook, '--cmd', 'echo hello');
check('a harmless command runs', told(result).includes('hello'), result);

console.log(failed ? `${failed} failed` : 'all passed');
process.exit(failed ? 1 : 0);
