import { setTimeout as pause } from 'node:timers/promises'
import type { Client } from './service.ts'

/**
 * A client that sends a write again when a plugin was late in it: a quarter of a second is little on a machine that is busy with other
 * things. It waits longer each time, as what keeps the machine busy may be over then.
 * @param again switches the plugins on again, which their lateness may have switched off
 */
export const patient = (client: Client, again: () => Promise<unknown>): Client =>
  Object.fromEntries(
    Object.entries(client).map(([name, send]: [string, (...args: any[]) => ReturnType<Client['send']>]) => [
      name,
      async (...args: unknown[]) => {
        for (let round = 1; ; round++) {
          const answer = await send(...args)
          if (answer.status !== 503 || !/did not respond|does not run on this node/.test(answer.text) || round === 10)
            return answer
          await pause(2 ** round * 10)
          await again()
        }
      },
    ]),
  ) as Client
