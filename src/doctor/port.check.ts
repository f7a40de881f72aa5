import { once } from 'node:events'
import { createServer } from 'node:net'
import { buildListenUrl, type Config } from '../config.ts'
import { type Check, error, type Finding, ok } from './check.ts'
import { isStockroom, probeService } from './probe.ts'

export const portCheck: Check = {
  name: 'port',
  title: 'Port',
  async run({ config }) {
    if (config.port === 0) return [ok('The service chooses an unused port at each start (PORT=0)')]
    return [(await isRunning(config)) ? ok(`Stockroom listens on ${buildOwnUrl(config)}`) : await tryToListen(config)]
  },
}

const buildOwnUrl = ({ host, port, isSecure }: Config): string => buildListenUrl(host, port, isSecure)

/** Whether a Stockroom listens on the address of the configuration. */
export const isRunning = async (config: Config): Promise<boolean> =>
  config.port !== 0 && (await probeService(buildOwnUrl(config), { anyCertificate: true }).then(isStockroom, () => false))

/** Listens for a moment, as the service would. */
async function tryToListen(config: Config): Promise<Finding> {
  const { host, port } = config
  const server = createServer((socket) => socket.destroy())
  try {
    server.listen({ host: host === 'localhost' ? '127.0.0.1' : host, port, exclusive: true })
    await once(server, 'listening')
    return ok(`The service is not running; ${buildOwnUrl(config)} is free for it`)
  } catch (problem) {
    const { code, message } = problem as NodeJS.ErrnoException
    if (code === 'EADDRINUSE')
      return error(`Port ${port} of ${host} is in use by another program`, 'End that program, or choose another PORT.')
    if (code === 'EACCES') return error(`This user cannot listen on port ${port}`, 'Choose a PORT above 1023.')
    if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
      return error(`HOST ${host} is not an address of this machine`, 'Set HOST to one of its addresses, or to 0.0.0.0 for all.')
    return error(`The service cannot listen on ${host}: ${message}`, 'Check HOST and PORT.')
  } finally {
    server.close()
  }
}
