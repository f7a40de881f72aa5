import { get } from 'node:http'
import { get as getSecurely } from 'node:https'
import { text } from 'node:stream/consumers'

const TIMEOUT_MS = 10_000

/** The name of the program that responds at the URL of an API root, if the response is JSON with one. */
export type ProbeResult = { status: number; server: string | undefined }

/**
 * Requests the root of the API below a URL.
 * @param options.anyCertificate accepts a certificate that no one signed, as that of this machine
 * @throws the error of the connection
 */
export async function probeService(site: string, { anyCertificate = false } = {}): Promise<ProbeResult> {
  const url = new URL(`${site}/api/`)
  const signal = AbortSignal.timeout(TIMEOUT_MS)
  return await new Promise((resolve, reject) => {
    const options = {
      signal,
      agent: false,
      headers: { accept: 'application/json' },
      rejectUnauthorized: !anyCertificate,
    } as const
    const send = url.protocol === 'https:' ? getSecurely : get
    send(url, options, (response) => {
      const status = response.statusCode ?? 0
      text(response).then((body) => resolve({ status, server: readServer(body) }), reject)
    }).on('error', (error) => reject(signal.aborted ? new Error(`no response in ${TIMEOUT_MS / 1_000} seconds`) : error))
  })
}

function readServer(body: string): string | undefined {
  try {
    const { server } = JSON.parse(body) as { server?: unknown }
    return typeof server === 'string' ? server : undefined
  } catch {
    return undefined
  }
}

/** Whether a response is one of Stockroom, which existing clients know under another name. */
export const isStockroom = ({ status, server }: ProbeResult): boolean =>
  status === 200 && (server === 'Stockroom' || server === 'InvenTree')
