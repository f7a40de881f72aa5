import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after } from 'node:test'

/** A request that something in another process sent: the names in its path, and its answer, on which the sender waits. */
export type Call = { names: string[]; answer: ServerResponse }

/**
 * An address by which what runs in other processes tells that it runs: `http://.../one/7` is the call `['one', '7']`. It ends with the
 * file of tests.
 * @param heard is given each call, in order, and answers it
 */
export async function hearCalls(heard: (call: Call) => void): Promise<string> {
  const server = createServer((request, answer) => heard({ names: (request.url as string).slice(1).split('/'), answer }))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  after(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}
