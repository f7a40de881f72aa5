import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { after } from 'node:test'
import { childEnvironment } from './child-environment.ts'
import { freePort } from './free-port.ts'
import { until } from './until.ts'

export type NodeProcess = {
  /** Where it answers, without a slash at the end. */
  url: string
  process: ChildProcess
  /** Ends it without warning. */
  kill(): Promise<void>
}

/**
 * The service as it is started from the command line, on a database that others may share. It ends with the test file.
 * @param environment beside that, DATA_DIR and further variables
 */
export async function nodeProcess(databaseUrl: string, environment: Record<string, string>): Promise<NodeProcess> {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const started = spawn(process.execPath, [join(import.meta.dirname, '../cli.ts'), 'serve'], {
    env: {
      ...childEnvironment,
      PORT: String(port),
      DATABASE_URL: databaseUrl,
      LOG_LEVEL: 'silent',
      SECRET_KEY: 'a secret of the tests that is thirty-two long',
      ...environment,
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  after(() => started.kill('SIGKILL'))
  const isReady = () =>
    fetch(`${url}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    )
  await until(isReady, 'it does not start', 60_000)
  return {
    url,
    process: started,
    async kill() {
      const ended = once(started, 'exit')
      started.kill('SIGKILL')
      await ended
    },
  }
}
