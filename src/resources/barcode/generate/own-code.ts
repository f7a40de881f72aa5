import * as input from '../../../kit/definition/input.ts'
import { unknownReference } from '../../../kit/request/errors.ts'
import { invalid } from '../../../kit/request/problem.ts'
import { queryThrough } from '../../../kit/sql/run-query.ts'
import { barcodeErrors } from '../barcode-errors.ts'
import { type BarcodeKind, kinds } from '../kinds.ts'
import { createForbiddenProblem, createScanProblem } from '../response.ts'
import { OWN_PLUGIN, PLUGIN_TIMEOUT_MS, requireOwnCodes } from '../scan.ts'
import type { ScanContext } from '../scan-result.ts'

/** Fields that name the object for which to generate a code. */
export const objectFields = {
  model: input.choice<string>(() => kinds.map(({ key, heading }) => ({ value: key, label: heading })), {
    required: true,
    help: 'The object type, as in barcodes and scans.',
  }),
  pk: input.integer({ required: true, min: 1, help: 'The object.' }),
}

/**
 * Generates the service's own code for an object, by which a scan finds it. The plugin for such codes creates it.
 * @throws Problem 403 for an account that may not view such objects; 400 when there is no such object, or the plugin is off or fails
 */
export async function generateOwnCode(context: ScanContext, { model, pk }: { model: string; pk: number }): Promise<string> {
  requireOwnCodes(context)
  const kind = kinds.find(({ key }) => key === model) as BarcodeKind
  if (!kind.resource.access(context.caller, 'view')) throw createForbiddenProblem(context, kind.key)
  const [row] = await queryThrough(context)(`select from ${kind.table} where pk = $1`, [pk])
  if (!row) throw invalid({ pk: [unknownReference(pk)] })
  const plugin = context.plugins.withHook('barcode.generate').find(({ key }) => key === OWN_PLUGIN.key)
  const code = await plugin
    ?.call([{ kind: kind.key, pk }], { caller: context.caller, milliseconds: PLUGIN_TIMEOUT_MS, check: requireText })
    .catch((error: Error) =>
      context.log.warn({ plugin: plugin.key, reason: error.message }, 'a plugin failed to create a barcode'),
    )
  if (typeof code !== 'string') throw createScanProblem(context, barcodeErrors.barcode_code_not_made, { model, pk })
  return code
}

function requireText(value: unknown): void {
  if (typeof value !== 'string' || value === '') throw new Error('it created no code')
}
