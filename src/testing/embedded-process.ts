// A process that only runs an embedded server, for the tests that kill it. It prints one line of JSON, which is `{ url, pid }` or
// `{ error }`, and shuts down cleanly on SIGTERM.
import { pino } from 'pino'
import { startEmbedded } from '../database/embedded.ts'

try {
  const server = await startEmbedded(process.argv[2] as string, pino({ level: 'silent' }))
  process.once('SIGTERM', () => server.stop())
  console.log(JSON.stringify({ url: server.url, pid: server.pid }))
} catch (error) {
  console.log(JSON.stringify({ error: (error as Error).message }))
}
