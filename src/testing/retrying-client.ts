import { setTimeout as pause } from 'node:timers/promises'
import type { Client } from './service.ts'

/**
 * Wraps a client to retry a request when a plugin timed out: a quarter of a second is short on a busy machine. The delay grows with each
 * retry, to give the load time to end.
 * @param beforeRetry re-enables the plugins, which their timeouts may have disabled
 */
export const createRetryingClient = (client: Client, beforeRetry: () => Promise<unknown>): Client =>
  Object.fromEntries(
    Object.entries(client).map(([name, send]: [string, (...args: any[]) => ReturnType<Client['send']>]) => [
      name,
      async (...args: unknown[]) => {
        for (let round = 1; ; round++) {
          const response = await send(...args)
          if (response.status !== 503 || !/did not respond|does not run on this node/.test(response.text) || round === 10)
            return response
          await pause(2 ** round * 10)
          await beforeRetry()
        }
      },
    ]),
  ) as Client
