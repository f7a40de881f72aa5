import type { Tx } from '../../kit/sql/tx.ts'
import { getTemplateModel, isLabel, isListed, type TemplateKind } from '../../printing/kinds.ts'
import { printErrors } from '../../printing/print-errors.ts'
import { PRINT_JOBS_PAGE } from '../../web-pages.ts'
import type { NotificationContent, PendingNotification } from './notification-kinds.ts'

/** Kind of pending notification for a failed print in the background. */
export const PRINT_FAILED = 'print_failed'

/** Records a pending notification of a failed background print, in the transaction that stores the failure. */
export async function enqueueFailedPrintNotification(tx: Tx, job: number, account: number): Promise<void> {
  await tx.query('insert into notice (kind, model, target, actor) values ($1, $2, $3, $4)', [
    ...[PRINT_FAILED, 'printjob', job, account],
  ])
}

type FailedPrint = {
  id: string
  user: number
  kind: TemplateKind
  template: number
  status: string
  details: string | null
  /** The name of the requested machine; null for none, or if it was deleted. */
  machine: string | null
}

/** The template of a print and its printer: `Part Label (Zebra)`; its id, if the template was deleted. */
async function namePrint(tx: Tx, { id, kind, template, machine }: FailedPrint): Promise<string> {
  const row = await tx.first<{ name: string }>(
    `select name from ${isLabel(kind) ? 'label' : 'report'}_template where model_type = $1 and ${isListed(kind) ? 'kind_pk' : 'pk'} = $2`,
    [getTemplateModel(kind), template],
  )
  if (!row) return `Print ${id}`
  return machine === null ? row.name : `${row.name} (${machine})`
}

/** The notification that a print failed, or that its outcome is unknown: for the account that requested it. Undefined if the print was deleted. */
export async function composePrintNotification(
  tx: Tx,
  { target: pk }: PendingNotification,
): Promise<NotificationContent | undefined> {
  const job = await tx.first<FailedPrint>(
    `select id, "user", kind, template, status,
       (select m.name from machine m where m.id::text = lower(coalesce(body ->> 'machine', query ->> 'machine'))) as machine,
       (select string_agg(text #>> '{}', ' ') from jsonb_path_query(error -> 'body', 'strict $.** ? (@.type() == "string")') text) as details
     from print_job where pk = $1 and status in ('failed', 'unknown')`,
    [pk],
  )
  if (!job) return undefined
  const templateType = job.kind.startsWith('label/') ? 'label' : 'report'
  const outcomeText = job.status === 'unknown' ? printErrors.print_uncertain.message : 'Printing failed.'
  return {
    category: `${templateType}.printing_failed`,
    name: templateType === 'label' ? 'Label printing failed' : 'Report printing failed',
    message: job.details && job.details !== outcomeText ? `${outcomeText} ${job.details}`.slice(0, 1_000) : outcomeText,
    target: { name: await namePrint(tx, job), model: 'printjob', pk, link: PRINT_JOBS_PAGE },
    accounts: [job.user],
    isRepeated: true,
  }
}
