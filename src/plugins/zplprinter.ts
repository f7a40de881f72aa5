import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { definePlugin, type Machine, type MachineState } from '../plugin-api/index.ts'
import { describeConnectionError } from './network/connection-error.ts'
import { toZpl } from './zpl/zpl.ts'

/** Time limits in milliseconds for a printer to accept a connection, report its status, accept all labels, and close the connection. */
const CONNECT_TIMEOUT_MS = 5_000
const STATUS_TIMEOUT_MS = 1_500
const SEND_TIMEOUT_MS = 45_000
const CLOSE_TIMEOUT_MS = 3_000
/** Maximum size of the response to `~HS`, which has about 90 characters. */
const MAX_RESPONSE_LENGTH = 1_000

export default definePlugin({
  slug: 'zplprinter',
  name: 'ZplPrinter',
  title: 'ZPL printers',
  version: '1.0.0',
  description: 'Prints labels on ZPL printers in the network.',
  author: 'Stockroom',
  machineDrivers: {
    zpl: {
      name: 'ZPL over TCP',
      description:
        'For label printers of Zebra and compatible ones, in the network: sends labels as ZPL to a port of the printer.',
      type: 'label-printer',
      labels: 'pictures',
      settings: {
        HOST: {
          type: 'string',
          default: '',
          required: true,
          name: 'Host',
          description: 'The host name or IP address of the printer.',
        },
        PORT: { type: 'integer', default: 9100, min: 1, max: 65_535, name: 'Port', description: 'The port of the printer.' },
        DPI: {
          ...{ type: 'integer', default: 203, min: 100, max: 600, name: 'Resolution', units: 'dpi' },
          description: 'The resolution of the print head, in dots per inch.',
        },
        FORM: {
          ...{ type: 'choice', default: 'picture', name: 'Form' },
          description:
            'Whether the printer renders texts, barcodes and lines itself, in its own font, on labels without other content.',
          choices: [
            { value: 'picture', display_name: 'Pictures' },
            { value: 'native', display_name: 'Native where possible' },
          ],
        },
        DITHER: {
          ...{ type: 'boolean', default: false, name: 'Dither' },
          description: 'Gray is dithered; otherwise everything darker than the threshold is black.',
        },
        THRESHOLD: {
          ...{ type: 'integer', default: 128, min: 1, max: 255, name: 'Threshold' },
          description: 'The brightness from which gray is not printed as black: 255 is white.',
        },
      },
      async print(labels, machine) {
        const { DITHER, THRESHOLD } = machine.settings
        const zpl = toZpl(labels, { usesDithering: DITHER, threshold: THRESHOLD })
        const socket = await connectPrinter(machine)
        if (!(socket instanceof Object && 'write' in socket)) return { failed: socket.text, state: 'disconnected' }
        try {
          const state = await queryState(socket)
          if (state?.state === 'no-media') return { failed: state.text ?? 'It has no media.', state: 'no-media' }
          await send(socket, zpl)
          return { state: state?.state ?? 'connected' }
        } finally {
          socket.destroy()
        }
      },
      async status(machine) {
        const socket = await connectPrinter(machine)
        if (!(socket instanceof Object && 'write' in socket)) return socket
        try {
          return (await queryState(socket)) ?? { state: 'unknown', text: 'It accepts labels, and does not report its status.' }
        } finally {
          socket.destroy()
        }
      },
    },
  },
})

/** Connects to a printer; returns the reason if that fails. */
async function connectPrinter({ settings: { HOST, PORT } }: Machine): Promise<Socket | (MachineState & { text: string })> {
  const socket = connect({ host: HOST, port: PORT })
  // later errors reach the code that waits
  socket.on('error', () => {})
  try {
    await once(socket, 'connect', { signal: AbortSignal.timeout(CONNECT_TIMEOUT_MS) })
    return socket
  } catch (error) {
    socket.destroy()
    const reason = describeConnectionError(error as NodeJS.ErrnoException)
    return { state: 'disconnected', text: `It cannot be reached at ${HOST}:${PORT}: ${reason}.` }
  }
}

/** The status that the printer reports (`~HS`); undefined if it does not. */
async function queryState(socket: Socket): Promise<MachineState | undefined> {
  let text = ''
  const deferred = Promise.withResolvers<void>()
  const onData = (chunk: Buffer) => {
    text += chunk.toString('latin1')
    // three lines, each of which ends with ETX
    if (text.split('\x03').length > 3 || text.length > MAX_RESPONSE_LENGTH) deferred.resolve()
  }
  const timer = setTimeout(deferred.resolve, STATUS_TIMEOUT_MS)
  socket.on('data', onData).once('close', deferred.resolve)
  socket.write('~HS')
  await deferred.promise
  clearTimeout(timer)
  socket.off('data', onData).off('close', deferred.resolve).resume()
  const [first = [], second = []] = text.split('\x03').map((line) => line.slice(line.indexOf('\x02') + 1).split(','))
  if (first.length < 12 || second.length < 8) return undefined
  if (first[1] === '1') return { state: 'no-media', text: 'It has no paper.' }
  if (second[2] === '1') return { state: 'no-media', text: 'Its head is open.' }
  if (second[3] === '1') return { state: 'no-media', text: 'It has no ribbon.' }
  if (first[2] === '1') return { state: 'connected', text: 'It is paused.' }
  return Number(first[4]) > 0 ? { state: 'printing' } : { state: 'connected' }
}

/** Sends everything, until the printer has accepted it. @throws Error if the accepted part is unknown */
async function send(socket: Socket, zpl: string): Promise<void> {
  if (socket.destroyed) throw new Error('the connection ended before everything was sent')
  const finished = once(socket, 'finish', { signal: AbortSignal.timeout(SEND_TIMEOUT_MS) })
  socket.end(zpl)
  await finished
  // data not accepted yet is in transit, and some printers never close a connection
  if (!socket.closed) await once(socket, 'close', { signal: AbortSignal.timeout(CLOSE_TIMEOUT_MS) }).catch(() => {})
}
