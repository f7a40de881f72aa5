import type { Readable, Writable } from 'node:stream'
import type { ConnectionTransport } from 'puppeteer-core'

/** Maximum size of a message from a browser, in bytes. A picture is one message. */
const MAX_MESSAGE_BYTES = 200 * 1024 * 1024

/**
 * Transports messages to and from a browser over two pipes, each terminated by a zero byte.
 * @param onInvalidMessage called if the browser sends an oversized or invalid message
 */
export function createPipeTransport(
  toBrowser: Writable,
  fromBrowser: Readable,
  onInvalidMessage: () => void,
): ConnectionTransport {
  const transport: ConnectionTransport = {
    send(message) {
      toBrowser.write(`${message}\0`)
    },
    close() {
      toBrowser.destroy()
      fromBrowser.destroy()
    },
  }
  const handleMessage = async (message: string) => {
    try {
      await transport.onmessage?.(message)
    } catch {
      onInvalidMessage()
    }
  }
  let pieces: Buffer[] = []
  let length = 0
  fromBrowser.on('data', (data: Buffer) => {
    let start = 0
    for (let end = data.indexOf(0); end !== -1; end = data.indexOf(0, start)) {
      pieces.push(data.subarray(start, end))
      const message = Buffer.concat(pieces).toString()
      pieces = []
      length = 0
      start = end + 1
      void handleMessage(message)
    }
    pieces.push(data.subarray(start))
    length += data.length - start
    if (length > MAX_MESSAGE_BYTES) onInvalidMessage()
  })
  fromBrowser.on('close', () => transport.onclose?.())
  // both pipes end with the browser, whose end is handled elsewhere
  fromBrowser.on('error', () => undefined)
  toBrowser.on('error', () => undefined)
  return transport
}
