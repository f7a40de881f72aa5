/** Entry point of a worker process (`process.ts`): runs the jobs that the service sends, one after another. */
import { Socket } from 'node:net'
import { buildFrame, FrameReader } from '../../plugin-host/child/frames.ts'
import { setTemplateSchema } from '../context/render-context.ts'
import { toLabelFields } from '../label-fields.ts'
import { TemplateError } from '../rendering.ts'
import { checkTemplate } from './check.ts'
import { type RequestData, renderJob } from './fill-in.ts'
import {
  CHANNEL_FD,
  type DataResponse,
  type FromWorker,
  type Job,
  MAX_FRAME_BYTES,
  packTexts,
  type Results,
  type ToWorker,
  unpackTexts,
} from './messages.ts'

const socket = new Socket({ fd: CHANNEL_FD, readable: true, writable: true })
/** Resolves the pending data request with its response. */
let resolveResponse: ((response: DataResponse & { texts: string[] }) => void) | undefined

const reader = new FrameReader(MAX_FRAME_BYTES, (text, bytes) => {
  const message = JSON.parse(text) as ToWorker & { lengths?: number[] }
  handleMessage(message, unpackTexts(message.lengths ?? [], bytes))
})
socket.on('data', (chunk: Buffer) => reader.push(chunk))
// the service ended this worker, or has itself ended
socket.on('close', () => process.exit(0))
socket.on('error', () => process.exit(0))
// a template may request a value without awaiting it, such as the name of an object that is still to be read
process.on('unhandledRejection', () => {})
// Ctrl-C, and a system that stops the service, may signal all its processes. A running print is completed first.
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, () => {})

function handleMessage(message: ToWorker, texts: string[]): void {
  if (message.type === 'schema') setTemplateSchema(message.schema)
  else if (message.type === 'response') resolveResponse?.({ ...message, texts })
  else void processJob(message, texts)
}

/** Sends the data requests of one job, one at a time. Requests that no job waits for any longer are dropped. */
function createRequestData(isOver: () => boolean): RequestData {
  let previous: Promise<unknown> = Promise.resolve()
  return (request) => {
    const response = previous.then(
      () =>
        new Promise<DataResponse & { texts: string[] }>((resolve) => {
          resolveResponse = resolve
          if (!isOver()) send(request)
        }),
    )
    previous = response
    return response
  }
}

function send(message: FromWorker, texts: readonly string[] = []): void {
  const { lengths, bytes } = packTexts(texts)
  socket.write(buildFrame(JSON.stringify(texts.length ? { ...message, lengths } : message), bytes))
}

async function processJob(job: Job, texts: string[]): Promise<void> {
  let isOver = false
  try {
    const { result, texts: outputTexts } = await executeJob(
      job,
      texts,
      createRequestData(() => isOver),
    )
    send({ type: 'done', result }, outputTexts)
  } catch (error) {
    const { message, position } = error instanceof TemplateError ? error : new TemplateError('It cannot be evaluated.')
    const fault = error instanceof TemplateError ? undefined : String((error as Error).stack).slice(0, 2_000)
    send({ type: 'rejected', message, position, fault })
  } finally {
    isOver = true
  }
}

async function executeJob(
  job: Job,
  texts: string[],
  requestData: RequestData,
): Promise<{ result: Results[Job['type']]; texts?: string[] }> {
  switch (job.type) {
    case 'print':
      return renderJob(job, texts, requestData)
    case 'check': {
      const snippet = async (name: string) => (await requestData({ type: 'request', what: 'snippet', name })).text
      return { result: await checkTemplate(job.source, { snippet }) }
    }
    case 'fields':
      return { result: toLabelFields(job.shown, job.dpi) ?? null }
  }
}
