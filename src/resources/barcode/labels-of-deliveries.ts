import type { Request } from '../../kit/definition/action.ts'
import type { Shape } from '../../kit/definition/input.ts'
import { isObject } from '../../kit/values/json.ts'
import { labelOf, readIdentifiers } from '../../plugin-api/barcode/index.ts'
import { labelOfGs1 } from './gs1/label-of-gs1.ts'
import { codeOf } from './operation.ts'
import { namesDelivery } from './po-receive/goods-of.ts'
import { readLabels } from './scan.ts'

/** Milliseconds after which plugins are asked of no further code: what these are is left open. */
const PLUGIN_TIMEOUT_MS = 10_000

/**
 * Those of the codes in the `items` of a body that are labels of one delivery: as GS1 and ISO/IEC 15434 have it, else as plugins read
 * them. It asks these, which takes time: before the transaction. What cannot be read is left to whoever reads the body.
 */
export async function labelsOfDeliveries(request: Request<Shape>): Promise<ReadonlySet<string>> {
  const { items } = request.raw
  if (!Array.isArray(items)) return new Set()
  const codes = new Set(items.filter(isObject).map(({ barcode }) => codeOf(barcode, request)))
  codes.delete('')
  const until = performance.now() + PLUGIN_TIMEOUT_MS
  const found = new Set<string>()
  for (const code of codes)
    if (isDelivery(code) || (performance.now() < until && (await isDeliveryToPlugins(request, code)))) found.add(code)
  return found
}

function isDelivery(text: string): boolean {
  const identifiers = readIdentifiers(text)
  const label = labelOfGs1(text) ?? (identifiers && labelOf(identifiers))
  return label !== undefined && namesDelivery(label)
}

const isDeliveryToPlugins = async (request: Request<Shape>, text: string): Promise<boolean> =>
  (await readLabels(request, text)).some(({ label }) => namesDelivery(label))
