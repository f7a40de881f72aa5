import { type Request, view } from '../../kit/definition/action.ts'
import type { Shape } from '../../kit/definition/input.ts'
import { signedIn } from '../../kit/request/caller.ts'
import { notFound } from '../../kit/request/problem.ts'
import { isUuid } from '../../kit/values/uuid.ts'
import { formatPrintJob, PRINT_JOB_QUERY, type PrintJob, printJobSchema } from './print-job.ts'

/** GET of `/api/print-job/{job}/`. */
export const readPrintJob = view({
  path: '/api/print-job/{job}/',
  summary: 'Get a background print',
  description:
    'Returns the progress and the result of a print that was requested with `Prefer: respond-async` or an Idempotency-Key. Available to the caller who printed and to staff, as long as printed files are stored.',
  access: signedIn,
  params: { job: 'The UUID of the print.' },
  response: printJobSchema,
  example: { params: { job: '00000000-0000-4000-8000-000000000000' }, status: 404 },
  read: async (request) => formatPrintJob(request, await findPrintJob(request)),
})

/** The print of a URL. @throws Problem 404 when there is none that the caller can see */
export async function findPrintJob({
  database,
  caller,
  params,
}: Pick<Request<Shape>, 'database' | 'caller' | 'params'>): Promise<PrintJob> {
  const { job: id = '' } = params
  if (!isUuid(id)) throw notFound()
  const [job] = await database.read<PrintJob>({
    text: `${PRINT_JOB_QUERY} where id = $1 and ("user" = $2 or $3)`,
    values: [id, caller.pk, caller.isStaff || caller.isSuperuser],
  })
  if (!job) throw notFound()
  return job
}
