import { type Procedure, procedure, Reply, type Request } from '../../kit/definition/action.ts'
import type { Shape } from '../../kit/definition/input.ts'
import { requireAccess, signedIn } from '../../kit/request/caller.ts'
import { Problem, toStoredProblem } from '../../kit/request/problem.ts'
import { printErrors } from '../../printing/print-errors.ts'
import { getSubject } from '../printing/subjects.ts'
import { createJob, formatPrintJob, printJobSchema, readJob, UNFINISHED } from './print-job.ts'
import { findPrintJob } from './print-job.view.ts'

const jobEndpoint = {
  method: 'POST' as const,
  access: signedIn,
  right: 'view' as const,
  params: { job: 'The UUID of the print.' },
  example: { params: { job: '00000000-0000-4000-8000-000000000000' }, status: 404 },
  response: printJobSchema,
}

const retry = procedure({
  ...jobEndpoint,
  path: '/api/print-job/{job}/retry/',
  summary: 'Print again',
  description:
    'Prints the same again, in the background and on behalf of the caller, as a new print. Available to the caller who printed and to staff, once the print has ended. A print whose result is unknown may come out twice.',
  errors: { wrong_state: 'The print has not ended.' },
  status: 202,
  async handle(request) {
    const job = await findPrintJob(request)
    if (UNFINISHED.includes(job.status)) throw new Problem('wrong_state', printErrors.print_not_ended)
    requireAccess(getSubject(job.kind).access, request.caller, 'view')
    if (request.disk.isLow) throw new Problem('insufficient_storage')
    const { kind, template, query, body, digest } = job
    const created = await createJob(request, { kind, template, query, body, digest, key: null, isInBackground: true })
    return new Reply(202, formatPrintJob(request, created), { location: `/api/print-job/${created.id}/` })
  },
})

const cancel = procedure({
  ...jobEndpoint,
  path: '/api/print-job/{job}/cancel/',
  summary: 'Cancel a print',
  description:
    'Cancels a print that waits or is being made. Available to the caller who printed and to staff. What a machine or a plugin has already received is not cancelled.',
  errors: { wrong_state: 'The print has ended, or a machine or a plugin has received it.' },
  status: 200,
  async handle(request) {
    const { pk, status } = await findPrintJob(request)
    if (!(await cancelJob(request, pk)))
      throw new Problem('wrong_state', UNFINISHED.includes(status) ? printErrors.print_dispatched : printErrors.print_ended)
    const job = await readJob(request, pk)
    if (!job) throw new Problem('not_found')
    return formatPrintJob(request, job)
  },
})

/** Ends an unfinished job: an attempt in progress can then no longer store its result. @returns whether it was cancelled */
async function cancelJob({ database }: Request<Shape>, pk: number): Promise<boolean> {
  const reason = toStoredProblem(new Problem('wrong_state', printErrors.print_cancelled))
  const cancelled = await database.transaction((tx) =>
    tx.first(
      `update print_job set status = 'cancelled', error = $2, finished = now()
       where pk = $1 and status in ('waiting', 'running') and asked is null returning pk`,
      [pk, JSON.stringify(reason)],
    ),
  )
  return cancelled !== undefined
}

/** Operations of an account on its background prints. */
export const printJobActions: readonly Procedure[] = [retry, cancel] as Procedure[]
