import assert from 'node:assert/strict'
import { execFile, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { after, describe, it } from 'node:test'
import { promisify } from 'node:util'
import { pino } from 'pino'
import { createPluginPackage } from '../../../testing/servers/npm-registry.ts'
import { testService } from '../../../testing/service.ts'

// Real repositories, over HTTP with a user name and password, and over SSH.

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'stockroom-repositories-')))
after(() => rmSync(folder, { recursive: true, force: true, maxRetries: 20 }))

/** Creates a repository of a plugin, and returns its path. */
function createRepository(slug: string): string {
  const directory = join(folder, 'repositories', slug)
  mkdirSync(directory, { recursive: true })
  const files = createPluginPackage({ name: slug, slug, version: '1.4.0' })
  for (const [path, text] of Object.entries(files)) writeFileSync(join(directory, path), text)
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=one', '-c', 'user.email=one@works.example', ...args], {
      cwd: directory,
      stdio: 'ignore',
    })
  git('init', '--initial-branch=main')
  git('add', '.')
  git('commit', '--message=first')
  git('tag', 'v1.4.0')
  return directory
}

const account = { name: 'buyer', password: 'pa&ss+w/ord of git' }
const expectedAuthorization = `Basic ${Buffer.from(`${account.name}:${account.password}`).toString('base64')}`
let authenticatedRequests = 0

/** Runs git's own HTTP backend for requests with the password. */
function serveGit(request: IncomingMessage, response: ServerResponse): void {
  if (request.headers.authorization !== expectedAuthorization) {
    response.writeHead(401, { 'www-authenticate': 'Basic realm="git"' }).end()
    return
  }
  authenticatedRequests++
  const { pathname, search } = new URL(request.url as string, 'http://localhost')
  const backend = spawn('git', ['http-backend'], {
    env: {
      PATH: process.env.PATH,
      GIT_PROJECT_ROOT: join(folder, 'repositories'),
      GIT_HTTP_EXPORT_ALL: '1',
      PATH_INFO: pathname,
      QUERY_STRING: search.slice(1),
      REQUEST_METHOD: request.method,
      CONTENT_TYPE: request.headers['content-type'] ?? '',
      GIT_PROTOCOL: String(request.headers['git-protocol'] ?? ''),
      REMOTE_USER: account.name,
    },
    stdio: ['pipe', 'pipe', 'ignore'],
  })
  request.pipe(backend.stdin)
  let head = Buffer.alloc(0)
  let isBody = false
  backend.stdout.on('data', (chunk: Buffer) => {
    if (isBody) return response.write(chunk)
    head = Buffer.concat([head, chunk])
    const end = head.indexOf('\r\n\r\n')
    if (end < 0) return
    isBody = true
    const headers = head
      .subarray(0, end)
      .toString()
      .split('\r\n')
      .map((line) => line.split(': ') as [string, string])
    const status = headers.find(([name]) => name === 'Status')?.[1]
    response.writeHead(
      status ? Number.parseInt(status, 10) : 200,
      Object.fromEntries(headers.filter(([name]) => name !== 'Status')),
    )
    response.write(head.subarray(end + 4))
  })
  backend.on('close', () => response.end())
}

const server = createServer(serveGit).listen(0, '127.0.0.1')
await once(server, 'listening')
after(() => server.close())
const host = `127.0.0.1:${(server.address() as AddressInfo).port}`

const logLines: string[] = []
const service = await testService(
  { DATA_DIR: join(folder, 'data'), PLUGIN_INSTALL_SECONDS: '60' },
  { log: pino({ level: 'trace' }, { write: (line: string) => void logLines.push(line) }) },
)
const install = (url: string) => service.superuser.post('/api/plugins/install/', { confirm: true, url })
const readStoredPackage = async (key: string) =>
  (await service.rows('select name, version, requirement from plugin_package where key = $1', [key]))[0]

/** Matches the password, in any encoding, and the user name. */
const secret = new RegExp(
  [
    account.password,
    encodeURIComponent(account.password),
    expectedAuthorization.slice(6),
    account.name,
    'pa&ss',
    'pa%26ss',
    '%20of%20git',
  ]
    .map((text) => text.replaceAll(/[+/]/g, '\\$&'))
    .join('|'),
)

/** Everything that is stored: the log, all tables, and the folder of packages. */
async function readStoredData(): Promise<string> {
  const tables = await service.rows(
    `select format('%I.%I', table_schema, table_name) as name from information_schema.tables
     where table_schema in ('public', 'pgboss') and table_type = 'BASE TABLE'`,
  )
  const rows = await Promise.all(tables.map(({ name }) => service.rows(`select t::text as row from ${name} t`)))
  const tarballs = await service.rows(`select encode(tarball, 'escape') as text from plugin_package`)
  const { stdout } = await promisify(execFile)('grep', [
    '--recursive',
    '--text',
    '--no-filename',
    '',
    join(folder, 'data/plugin-packages'),
  ])
  return JSON.stringify([logLines, rows, tarballs, stdout])
}

describe('POST /api/plugins/install/ of a repository', () => {
  it('over HTTP uses the user name and password of the URL, and neither stores nor shows them', async () => {
    createRepository('from-http')
    const credentials = `${account.name}:${encodeURIComponent(account.password)}`
    const installResponse = await install(`git+http://${credentials}@${host}/from-http/.git#v1.4.0`)
    assert.equal(installResponse.status, 201, installResponse.text)
    assert.ok(authenticatedRequests > 0)
    assert.deepEqual(await readStoredPackage('from-http'), {
      name: 'from-http',
      version: '1.4.0',
      requirement: `git+http://${host}/from-http/.git#v1.4.0`,
    })
    const { input, output, result } = installResponse.body
    assert.doesNotMatch(JSON.stringify([input, output, result]), secret)
    const storedData = await readStoredData()
    assert.match(storedData, /from-http/)
    assert.doesNotMatch(storedData, secret)
  })

  it('over HTTP returns git’s error, without the user name and password', async () => {
    const wrong = await install(`git+http://${account.name}:${encodeURIComponent(`${account.password}x`)}@${host}/from-http/.git`)
    assert.equal(wrong.status, 400)
    assert.match(wrong.text, /Authentication failed|could not read/)
    assert.doesNotMatch(wrong.text, secret)
    const credentials = `${account.name}:${encodeURIComponent(account.password)}`
    const absent = await install(`git+http://${credentials}@${host}/absent/.git`)
    assert.equal(absent.status, 400)
    assert.doesNotMatch(absent.text, secret)
    const closed = await install(`git+http://${credentials}@127.0.0.1:1/absent.git`)
    assert.equal(closed.status, 400)
    assert.doesNotMatch(closed.text, secret)
    assert.doesNotMatch(await readStoredData(), secret)
  })

  it('over SSH uses the account of the URL', async () => {
    const directory = createRepository('from-ssh')
    // a local substitute for ssh: it receives the host and the command to run there
    const programs = join(folder, 'programs')
    mkdirSync(programs)
    const logFile = join(folder, 'ssh.log')
    writeFileSync(join(programs, 'ssh'), `#!/bin/sh\necho "$@" >> ${logFile}\nfor last; do :; done\nexec sh -c "$last"\n`, {
      mode: 0o755,
    })
    const { PATH = '' } = process.env
    process.env.PATH = [programs, PATH].join(delimiter)
    try {
      const url = `git+ssh://git@works.example${directory}/.git#v1.4.0`
      const installResponse = await install(url)
      assert.equal(installResponse.status, 201, installResponse.text)
      assert.deepEqual(await readStoredPackage('from-ssh'), { name: 'from-ssh', version: '1.4.0', requirement: url })
    } finally {
      process.env.PATH = PATH
    }
    const sshArguments = execFileSync('cat', [logFile], { encoding: 'utf8' })
    assert.match(sshArguments, /-oBatchMode=yes -oStrictHostKeyChecking=accept-new .*git@works\.example git-upload-pack/)
  })
})
