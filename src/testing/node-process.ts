import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { after } from 'node:test'
import packageJson from '../../package.json' with { type: 'json' }
import { ROOT } from '../paths.ts'
import { childEnvironment } from './child-environment.ts'
import { findFreePort } from './free-port.ts'
import { installBrowser } from './printing.ts'
import { waitUntil } from './until.ts'

/** Options for Node, as in `npm start`. */
const NODE_OPTIONS = packageJson.scripts.start.split(' ').slice(2, -1)

export type NodeProcess = {
  /** Its base URL, without a trailing slash. */
  url: string
  process: ChildProcess
  /** Stops it like an operator. */
  stop(): Promise<void>
  /** Kills it without warning. */
  kill(): Promise<void>
}

/**
 * Starts the service from the command line, on a database that may be shared. It ends with the test file.
 * @param environment DATA_DIR and further variables, added to those of the parent
 */
export async function startNodeProcess(databaseUrl: string, environment: Record<string, string>): Promise<NodeProcess> {
  if (environment.DATA_DIR) await installBrowser(environment.DATA_DIR)
  const port = await findFreePort()
  const url = `http://127.0.0.1:${port}`
  const child = spawn(process.execPath, [...NODE_OPTIONS, 'serve'], {
    env: {
      ...childEnvironment,
      PORT: String(port),
      DATABASE_URL: databaseUrl,
      LOG_LEVEL: 'silent',
      SECRET_KEY: 'a test secret of thirty-two bytes or more',
      ...environment,
    },
    cwd: ROOT,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  after(() => child.kill('SIGKILL'))
  const isReady = () =>
    fetch(`${url}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    )
  await waitUntil(isReady, 'the service does not start', 60_000)
  const end = async (signal: NodeJS.Signals) => {
    const exit = once(child, 'exit')
    child.kill(signal)
    await exit
  }
  return {
    url,
    process: child,
    stop: () => end('SIGTERM'),
    kill: () => end('SIGKILL'),
  }
}
