import { readFileSync } from 'node:fs'
import autocannon from 'autocannon'

type Service = { base: string; token: string; pid: number }
type Row = { measurement: string; 'first ms'?: number; 'p50 ms'?: number; result?: string }

type JsonResponse = Omit<Response, 'json'> & { json(): Promise<Record<string, any>> }

const MEGABYTE = 1024 * 1024
/** Slightly smaller than MAX_FILE_BYTES. */
const FILE = Buffer.alloc(10 * MEGABYTE - 1_000, 'stockroom ')

/**
 * Measures printing and files through the API: labels, reports, many at the same time, other requests during them, and upload and download
 * of a 10 MB file. The first of each kind, which may have to start the browser, is reported separately.
 */
export async function measurePrinting(service: Service, seconds: number): Promise<Row[]> {
  const get = (path: string) => sendRequest(service, path)
  const label = await readFirstPk(service, '/api/label/part/')
  const report = await readFirstPk(service, '/api/report/po/')
  const print = (count: number, firstPart = 1) => {
    const parts = Array.from({ length: count }, (_, index) => firstPart + index).join(',')
    return get(`/api/label/part/${label}/print/?parts=${parts}`)
  }
  const order = (pk: number) => get(`/api/report/po/${report}/print/?order=${pk}&format=pdf`)
  const long = await createOrder(service, 200)

  const rows: Row[] = []
  const add = async (rowLabel: string, times: number, work: () => Promise<unknown>) => {
    const first = await measureTime(work)
    const laterTimes: number[] = []
    for (let run = 0; run < times; run++) laterTimes.push(await measureTime(work))
    rows.push({ measurement: rowLabel, 'first ms': first, 'p50 ms': laterTimes.toSorted((a, b) => a - b)[times >> 1] })
  }
  await waitForBrowser(() => get(`/api/report/po/${report}/print/?format=pdf`))
  await add('1 label', 30, () => print(1))
  await add('100 labels', 5, () => print(100))
  await add('1,000 labels', 1, () => print(1_000))
  await add('report of an order of 10 lines', 20, () => order(1))
  await add('report of an order of 200 lines', 10, () => order(long))
  await add('32 prints of a label at once', 3, () => Promise.all(Array.from({ length: 32 }, (_, index) => print(1, 1 + index))))

  const rateAlone = await measureLists(service, seconds)
  const controller = new AbortController()
  const printing = (async () => {
    while (!controller.signal.aborted) await print(100)
  })()
  const rateWhilePrinting = await measureLists(service, seconds)
  controller.abort()
  await printing
  const ratio = `${(rateWhilePrinting / rateAlone).toFixed(2)} of ${Math.round(rateAlone)} a second`
  rows.push({ measurement: 'lists of 25 while 100 labels at a time are printed', result: ratio })

  const before = readMemory(service.pid)
  let peak = before
  const watch = setInterval(() => {
    peak = Math.max(peak, readMemory(service.pid))
  }, 20)
  let stored = ''
  await add('upload of 10 MB', 10, async () => {
    const body = new FormData()
    body.set('part', '1')
    body.set('attachment', new Blob([FILE], { type: 'text/plain' }), 'file.txt')
    const { attachment } = await (await sendRequest(service, '/api/part/attachment/', { method: 'POST', body })).json()
    stored = attachment
  })
  await add('download of 10 MB', 10, async () => (await get(new URL(stored).pathname)).arrayBuffer())
  clearInterval(watch)
  const more = `${Math.round((peak - before) / MEGABYTE)} MB more than ${Math.round(before / MEGABYTE)}`
  rows.push({ measurement: 'memory during uploads and downloads of 10 MB', result: more })
  return rows
}

async function sendRequest({ base, token }: Service, path: string, init: RequestInit = {}): Promise<JsonResponse> {
  const response = await fetch(base + path, { ...init, headers: { authorization: `Token ${token}`, ...init.headers } })
  if (!response.ok) throw new Error(`${path.slice(0, 100)}: ${response.status} ${await response.text()}`)
  return response as JsonResponse
}

const readFirstPk = async (service: Service, path: string): Promise<number> => {
  const { results } = await (await sendRequest(service, `${path}?limit=1`)).json()
  return results[0].pk
}

async function createOrder(service: Service, lines: number): Promise<number> {
  const post = async (path: string, body: object) => {
    const headers = { 'content-type': 'application/json' }
    return (await sendRequest(service, path, { method: 'POST', headers, body: JSON.stringify(body) })).json()
  }
  const { pk } = await post('/api/order/po/', { reference: 'PO-9999999', supplier: 1 })
  for (let line = 0; line < lines; line++)
    await post('/api/order/po-line/', {
      order: pk,
      part: 100 + 100 * (line % 100),
      quantity: 1 + line,
      merge_items: false,
      purchase_price: '1.5',
    })
  return pk
}

/** Repeats a print until the browser is ready; its result is not stored. */
async function waitForBrowser(print: () => Promise<unknown>): Promise<void> {
  for (const end = Date.now() + 60_000; ; ) {
    try {
      await print()
      return
    } catch (error) {
      if (Date.now() > end) throw error
    }
  }
}

async function measureTime(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  await work()
  return Math.round((performance.now() - start) * 10) / 10
}

async function measureLists({ base, token }: Service, seconds: number): Promise<number> {
  const url = `${base}/api/order/po/?limit=25`
  const { requests } = await autocannon({ url, headers: { authorization: `Token ${token}` }, connections: 8, duration: seconds })
  return requests.average
}

const readMemory = (pid: number): number => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1024
