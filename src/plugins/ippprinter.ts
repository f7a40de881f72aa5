import { request as plainRequest } from 'node:http'
import { request as secureRequest } from 'node:https'
import { definePlugin, type Machine, type MachineState } from '../plugin-api/index.ts'
import { buildIppRequest, type IppResponse, operations, parseIppResponse } from './ipp/message.ts'
import { describeConnectionError } from './network/connection-error.ts'

/** Time limits in milliseconds for a printer to report its status, and to accept a document. */
const STATUS_TIMEOUT_MS = 8_000
const SEND_TIMEOUT_MS = 50_000
const MAX_RESPONSE_BYTES = 1_000_000
/** Values of `printer-state`. */
const [IDLE, PROCESSING, STOPPED] = [3, 4, 5]

/** The printer cannot be reached: nothing was sent to it. */
class PrinterUnreachable extends Error {}

export default definePlugin({
  slug: 'ippprinter',
  name: 'IppPrinter',
  title: 'IPP printers',
  version: '1.0.0',
  description: 'Prints labels on printers with IPP and PDF, and on print servers.',
  author: 'Stockroom',
  machineDrivers: {
    ipp: {
      name: 'IPP',
      description:
        'For office printers, label printers and print servers (such as CUPS) that accept PDF over the Internet Printing Protocol.',
      type: 'label-printer',
      labels: 'pdf',
      settings: {
        URI: {
          ...{ type: 'string', default: '', required: true, name: 'Address' },
          description: 'The URL of the printer, such as `ipp://printer.example/ipp/print`; `ipps` is encrypted.',
        },
        USER: { type: 'string', default: 'stockroom', name: 'User', description: 'The name of the requesting user.' },
      },
      async print({ pdf, name, copies }, machine) {
        const { USER } = machine.settings
        const head = buildIppRequest(
          operations.printJob,
          machine.settings.URI,
          [
            ['name', 'requesting-user-name', USER],
            ['name', 'job-name', name.slice(0, 80)],
            ['media', 'document-format', 'application/pdf'],
          ],
          copies > 1 ? { copies } : {},
        )
        try {
          const { status, attributes } = await post(machine, Buffer.concat([head, pdf ?? Buffer.alloc(0)]), SEND_TIMEOUT_MS)
          if (status < 0x100) return { state: 'printing' }
          const statusMessage = attributes.get('status-message')?.join(' ') ?? ''
          return {
            failed: `It rejected the request with status 0x${status.toString(16).padStart(4, '0')}. ${statusMessage}`.trim(),
          }
        } catch (error) {
          if (error instanceof PrinterUnreachable) return { failed: error.message, state: 'disconnected' }
          throw error
        }
      },
      async status(machine) {
        const attributeNames = ['printer-state', 'printer-state-reasons', 'printer-state-message']
        const statusRequest = buildIppRequest(operations.getPrinterAttributes, machine.settings.URI, [
          ['name', 'requesting-user-name', machine.settings.USER],
          ['keyword', 'requested-attributes', attributeNames],
        ])
        try {
          return toMachineState(await post(machine, statusRequest, STATUS_TIMEOUT_MS))
        } catch (error) {
          return { state: 'disconnected', text: (error as Error).message }
        }
      },
    },
  },
})

function toMachineState({ status, attributes }: IppResponse): MachineState {
  if (status >= 0x100) return { state: 'unknown', text: `It returned status 0x${status.toString(16).padStart(4, '0')}.` }
  const [state] = attributes.get('printer-state') ?? []
  const reasons = (attributes.get('printer-state-reasons') ?? []).map(String).filter((reason) => reason !== 'none')
  const text = [...(attributes.get('printer-state-message') ?? []), reasons.join(', ')].filter(Boolean).join(': ')
  const hasNoMedia = reasons.some((reason) => /^(media-empty|media-needed|marker-supply-empty)(-error)?$/.test(reason))
  if (hasNoMedia) return { state: 'no-media', text }
  if (state === STOPPED) return { state: 'disconnected', text: text || 'It is stopped.' }
  return { state: state === PROCESSING ? 'printing' : state === IDLE ? 'connected' : 'unknown', text }
}

/**
 * Sends a request to a printer.
 * @throws PrinterUnreachable if nothing reached it; Error if the outcome is unknown
 */
async function post({ settings: { URI } }: Machine, body: Buffer, milliseconds: number): Promise<IppResponse> {
  const url = URL.parse(URI)
  if (!url || !['ipp:', 'ipps:', 'http:', 'https:'].includes(url.protocol))
    throw new PrinterUnreachable(`${URI} is not the URL of a printer: it must start with ipp:// or ipps://.`)
  const isSecure = url.protocol === 'ipps:' || url.protocol === 'https:'
  const port = url.port || (url.protocol.startsWith('ipp') ? '631' : isSecure ? '443' : '80')
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1')
  const deferred = Promise.withResolvers<Buffer>()
  let isConnected = false
  const outgoing = (isSecure ? secureRequest : plainRequest)(
    {
      ...{ host, port, path: url.pathname + url.search, method: 'POST', agent: false, signal: AbortSignal.timeout(milliseconds) },
      headers: { 'content-type': 'application/ipp', 'content-length': body.length },
    },
    (response) => {
      const chunks: Buffer[] = []
      let bytes = 0
      response.on('data', (chunk: Buffer) => {
        bytes += chunk.length
        if (bytes > MAX_RESPONSE_BYTES) response.destroy(new Error('its response is too large'))
        else chunks.push(chunk)
      })
      response.once('error', deferred.reject)
      response.once('end', () => {
        if (response.statusCode === 200) deferred.resolve(Buffer.concat(chunks))
        // a printer does not print a request that it rejects with this status
        else deferred.reject(new PrinterUnreachable(`It returned HTTP ${response.statusCode}.`))
      })
    },
  )
  outgoing.once('socket', (socket) => socket.once(isSecure ? 'secureConnect' : 'connect', () => (isConnected = true)))
  outgoing.once('error', (error: NodeJS.ErrnoException) => {
    const reason = describeConnectionError(error)
    deferred.reject(
      isConnected
        ? new Error(`the connection broke: ${reason}`)
        : new PrinterUnreachable(`It cannot be reached at ${host}:${port}: ${reason}.`),
    )
  })
  outgoing.end(body)
  return parseIppResponse(await deferred.promise)
}
