/** Entry point of a worker process (`process.ts`): runs the jobs that the service sends, one after another. */
import { Socket } from 'node:net'
import { FrameReader, frameOf } from '../../plugin-host/child/frames.ts'
import { setTemplateSchema } from '../context/render-context.ts'
import { labelFields } from '../label-fields.ts'
import { TemplateError } from '../rendering.ts'
import { checkTemplate } from './check.ts'
import { fillIn, type SendQuestion } from './fill-in.ts'
import {
  channel,
  type FromWorker,
  type Job,
  MAX_FRAME,
  packed,
  type QuestionResponse,
  type Results,
  type ToWorker,
  unpacked,
} from './messages.ts'

const socket = new Socket({ fd: channel, readable: true, writable: true })
/** Resolves the pending question with its answer. */
let resolveResponse: ((response: QuestionResponse & { texts: string[] }) => void) | undefined

const reader = new FrameReader(MAX_FRAME, (text, bytes) => {
  const message = JSON.parse(text) as ToWorker & { lengths?: number[] }
  handleMessage(message, unpacked(message.lengths ?? [], bytes))
})
socket.on('data', (chunk: Buffer) => reader.push(chunk))
// the service ended this worker, or has ended itself
socket.on('close', () => process.exit(0))
socket.on('error', () => process.exit(0))
// a template may request a value without awaiting it, such as the name of an object that is still to be read
process.on('unhandledRejection', () => {})
// Ctrl-C and a system that stops the service may signal all its processes. A print that is running is finished.
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, () => {})

function handleMessage(message: ToWorker, texts: string[]): void {
  if (message.type === 'world') setTemplateSchema(message.world)
  else if (message.type === 'answer') resolveResponse?.({ ...message, texts })
  else void processJob(message, texts)
}

/** Asks the questions of one job, one at a time: no faster than the service answers. Questions that nothing waits for any longer are dropped. */
function createAsk(isOver: () => boolean): SendQuestion {
  let before: Promise<unknown> = Promise.resolve()
  return (question) => {
    const response = before.then(
      () =>
        new Promise<QuestionResponse & { texts: string[] }>((resolve) => {
          resolveResponse = resolve
          if (!isOver()) send(question)
        }),
    )
    before = response
    return response
  }
}

function send(message: FromWorker, texts: readonly string[] = []): void {
  const { lengths, bytes } = packed(texts)
  socket.write(frameOf(JSON.stringify(texts.length ? { ...message, lengths } : message), bytes))
}

async function processJob(job: Job, texts: string[]): Promise<void> {
  let isOver = false
  try {
    const { result, texts: outputTexts } = await executeJob(
      job,
      texts,
      createAsk(() => isOver),
    )
    send({ type: 'done', result }, outputTexts)
  } catch (error) {
    const { message, position: place } = error instanceof TemplateError ? error : new TemplateError('It cannot be evaluated.')
    const fault = error instanceof TemplateError ? undefined : String((error as Error).stack).slice(0, 2_000)
    send({ type: 'refused', message, place, fault })
  } finally {
    isOver = true
  }
}

async function executeJob(
  job: Job,
  texts: string[],
  ask: SendQuestion,
): Promise<{ result: Results[Job['type']]; texts?: string[] }> {
  switch (job.type) {
    case 'print':
      return fillIn(job, texts, ask)
    case 'check': {
      const snippet = async (name: string) => (await ask({ type: 'ask', what: 'snippet', name })).text
      return { result: await checkTemplate(job.source, { snippet }) }
    }
    case 'fields':
      return { result: labelFields(job.shown, job.dpi) ?? null }
  }
}
