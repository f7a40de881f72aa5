import { execFile, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { withDemoDatabase } from './console-demo.ts'
import { USER } from './databases.ts'
import { waitUntilReady } from './service.ts'

/** A client of InvenTree, as the Python Package Index has it, and the script of ours that uses it. */
type Client = { packages: string[]; script: string; api: '196' | '530' }

/** The last line of a script (`clients/steps.py`). `clientFaults` counts steps that the client cannot do with InvenTree 1.5 either. */
type Counts = { passed: number; failed: number; clientFaults: number }

const CLIENTS: Record<string, Client> = {
  'inventree 0.25.0': { packages: ['inventree==0.25.0'], script: 'python_client.py', api: '530' },
  'inventree-part-import 1.9.2': {
    packages: ['inventree-part-import==1.9.2', 'inventree==0.25.0'],
    script: 'part_import.py',
    api: '530',
  },
  'kintree 1.1.4': { packages: ['kintree==1.1.4', 'inventree==0.17.5'], script: 'ki_n_tree.py', api: '530' },
  'inventree 0.13.5': { packages: ['inventree==0.13.5'], script: 'python_client_0_13.py', api: '196' },
}

const SCRIPTS = resolve(import.meta.dirname, 'clients')
const PORT = 8965

const run = promisify(execFile)

/** Installs packages in a new virtual environment, and returns its Python. */
async function install(folder: string, packages: readonly string[]): Promise<string> {
  const environment = join(folder, 'environment')
  await run('python3', ['-m', 'venv', environment])
  const python = join(environment, 'bin', 'python')
  await run(python, ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', ...packages])
  return python
}

/** Starts a service with a version of the API on a database, while the work lasts. */
async function withApi<T>(folder: string, url: string, api: string, work: (base: string) => Promise<T>): Promise<T> {
  const settings = { WIRE_FORM: 'inventree', INVENTREE_API: api, LOG_LEVEL: 'silent', PORT: String(PORT) }
  const env = { ...process.env, ...settings, DATABASE_URL: url, DATA_DIR: join(folder, 'data') }
  const child = spawn(process.execPath, ['src/stockroom.js', 'serve'], { env, stdio: ['ignore', 'ignore', 'inherit'] })
  try {
    const base = `http://127.0.0.1:${PORT}`
    await waitUntilReady(`${base}/livez`)
    return await work(base)
  } finally {
    child.kill('SIGTERM')
    if (child.exitCode === null) await new Promise((resolve) => child.once('exit', resolve))
  }
}

/** Runs a script, prints its steps, and returns its counts. A script that ends early counts as one failed step, and its output is printed. */
async function runScript(python: string, script: string, folder: string, base: string): Promise<Counts> {
  const env = {
    PATH: process.env.PATH,
    HOME: folder,
    PYTHONDONTWRITEBYTECODE: '1',
    STOCKROOM_URL: base,
    STOCKROOM_USERNAME: USER.username,
    STOCKROOM_PASSWORD: USER.password,
    STOCKROOM_FOLDER: folder,
    STOCKROOM_RUN: String(Date.now() % 1_000_000),
  }
  // a script exits with 1 after failed steps
  const { stdout, stderr } = await run(python, [join(SCRIPTS, script)], { env, timeout: 600_000 }).catch((error) => error)
  const lines = String(stdout).trimEnd().split('\n')
  const last = lines.at(-1) ?? ''
  if (!last.startsWith('{"passed"')) {
    console.log(stdout, stderr)
    return { passed: 0, failed: 1, clientFaults: 0 }
  }
  console.log(lines.filter((line) => /^ {2}(passed|client|FAILED) /.test(line)).join('\n'))
  return JSON.parse(last)
}

/**
 * Installs each client whose name contains `name`, and runs its script with a service on the demo data. Prints each step, and a table with
 * the counts.
 */
export async function runClients(name = ''): Promise<void> {
  const table: Record<string, Counts & { API: string }> = {}
  await withDemoDatabase(async (url) => {
    for (const [client, { packages, script, api }] of Object.entries(CLIENTS)) {
      if (!client.includes(name)) continue
      const folder = mkdtempSync(join(tmpdir(), 'stockroom-clients-'))
      try {
        const files = join(folder, 'files')
        mkdirSync(files)
        const python = await install(folder, packages)
        console.log(`${client}, API ${api}`)
        const counts = await withApi(folder, url, api, (base) => runScript(python, script, files, base))
        table[client] = { API: api, ...counts }
      } finally {
        rmSync(folder, { recursive: true, force: true })
      }
    }
  })
  console.table(table)
  if (Object.values(table).some(({ failed }) => failed > 0)) process.exitCode = 1
}
