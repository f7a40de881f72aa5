import { Type } from 'typebox'
import { action, view } from '../../../kit/definition/action.ts'
import { fieldErrors } from '../../../kit/definition/problem-schema.ts'
import { superuser } from '../../../kit/request/caller.ts'
import { listMessages } from '../../../kit/request/errors.ts'
import { invalidObject } from '../../../kit/request/problem.ts'
import { queryThrough, queryWithin, type RunQuery } from '../../../kit/sql/run-query.ts'
import type { ErrorMessage } from '../../../kit/values/message.ts'
import { serviceErrors } from '../../service-errors.ts'
import { DEMO_QUEUE, HEARTBEAT_TIMEOUT_SECONDS } from './demo-run.ts'
import { findDemoConflict } from './find-conflict.ts'

const STATES = ['available', 'refused', 'running', 'done', 'failed'] as const

type State = { status: (typeof STATES)[number]; percent: number; detail: ErrorMessage | '' }

const contract = {
  path: '/api/web/demo/',
  access: superuser,
  response: Type.Object({
    status: Type.String({
      enum: [...STATES],
      description:
        'Whether it can be loaded (`available`), cannot (`refused`, with `detail`), is loading, is loaded, or stopped with an error (`failed`, with `detail`).',
    }),
    percent: Type.Integer({ minimum: 0, maximum: 100, description: 'The completed number of steps.' }),
    detail: Type.String({ description: 'Why it cannot be loaded, or why it stopped; otherwise empty.' }),
    field_errors: fieldErrors,
  }),
}

/** Reads the state of the demo run. */
async function readState(query: RunQuery): Promise<State> {
  const [run] = await query<{ percent: number; finished: string | null; error: string | null; is_lost: boolean }>(
    `select percent, finished, error, heard < now() - make_interval(secs => $1) as is_lost from demo_run`,
    [HEARTBEAT_TIMEOUT_SECONDS],
  )
  const { percent = 0 } = run ?? {}
  if (run && run.error === null && run.finished === null && !run.is_lost) return { status: 'running', percent, detail: '' }
  const conflict = await findDemoConflict(query)
  if (run && conflict !== undefined)
    return run.finished
      ? { status: 'done', percent, detail: '' }
      : {
          status: 'failed',
          percent,
          detail: run.error ? serviceErrors.demo_incomplete({ reason: run.error }) : serviceErrors.demo_stopped,
        }
  return conflict === undefined
    ? { status: 'available', percent: 0, detail: '' }
    : { status: 'refused', percent: 0, detail: conflict }
}

/** Formats the state for the response, including its error code. */
const stateResponse = ({ detail, ...state }: State) => ({ ...state, detail: String(detail), field_errors: listMessages(detail) })

export const demoWorkshop = [
  view({
    ...contract,
    summary: 'Get the status of the demo data',
    description: 'Returns whether the sample data can be loaded into an empty database, and its progress.',
    read: async (request) => stateResponse(await readState(queryThrough(request))),
  }),
  action({
    ...contract,
    method: 'POST',
    summary: 'Load the demo data',
    description:
      'Loads sample data into an empty database: parts, stock, orders and their history, in the background, within about a minute. `GET` returns its progress. The accounts in the sample data end up inactive; their subscriptions and notifications become those of the caller.',
    status: 202,
    body: {},
    async run({ tx, jobs, caller }) {
      await tx.query('lock table demo_run in share row exclusive mode')
      const state = await readState(queryWithin(tx))
      if (state.status !== 'available')
        throw invalidObject(state.status === 'running' ? serviceErrors.demo_filling : state.detail || serviceErrors.demo_there)
      await tx.query('delete from demo_run')
      await tx.query('insert into demo_run default values')
      await jobs.send(tx, DEMO_QUEUE, { asker: caller.pk })
      return stateResponse({ status: 'running', percent: 0, detail: '' })
    },
  }),
]
