import { view } from '../../kit/definition/action.ts'
import { signedIn } from '../../kit/request/caller.ts'
import { notFound } from '../../kit/request/problem.ts'
import { isUuid } from '../../kit/values/uuid.ts'
import { PRINT_JOB, type PrintJob, printJobAnswer, shownJob } from './print-job.ts'

/** GET of `/api/print-job/{job}/`. */
export const readPrintJob = view({
  path: '/api/print-job/{job}/',
  summary: 'A print in the background',
  description:
    'How far a print is that was asked for with `Prefer: respond-async` or an Idempotency-Key, and what came of it. It is for whoever printed and for staff, and stays as long as printed files do.',
  access: signedIn,
  params: { job: 'What the print is known by: a UUID.' },
  answer: printJobAnswer,
  example: { params: { job: '00000000-0000-4000-8000-000000000000' }, status: 404 },
  async read(request) {
    const { database, caller, params } = request
    const { job: id = '' } = params
    if (!isUuid(id)) throw notFound()
    const [job] = await database.read<PrintJob>({
      text: `${PRINT_JOB} where id = $1 and ("user" = $2 or $3)`,
      values: [id, caller.pk, caller.isStaff || caller.isSuperuser],
    })
    if (!job) throw notFound()
    return shownJob(request, job)
  },
})
