import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after } from 'node:test'

/** A request from another process: the segments of its path, and its response, which the sender waits for. */
export type Call = { names: string[]; response: ServerResponse }

/**
 * Starts a server for calls from other processes, and returns its URL: `http://.../one/7` is the call `['one', '7']`. It ends with the test
 * file.
 * @param onCall receives each call, in order, and responds to it
 */
export async function listenForCalls(onCall: (call: Call) => void): Promise<string> {
  const server = createServer((request, response) => onCall({ names: (request.url as string).slice(1).split('/'), response }))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  after(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}
