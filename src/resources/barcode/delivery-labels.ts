import type { Request } from '../../kit/definition/action.ts'
import type { Shape } from '../../kit/definition/input.ts'
import { isObject } from '../../kit/values/json.ts'
import { parseGs1Label } from '../../notation/gs1/gs1-label.ts'
import { labelOf, readIdentifiers } from '../../plugin-api/barcode/index.ts'
import { readCode } from './operation.ts'
import { identifiesDelivery } from './po-receive/label-goods.ts'
import { readLabels } from './scan.ts'

/** Milliseconds after which no plugins are called for further codes, which then remain unclassified. */
const PLUGIN_TIMEOUT_MS = 10_000

/**
 * Returns the codes in the `items` of a body that are labels of one delivery, according to GS1, ISO/IEC 15434 or plugins. It calls
 * plugins, which takes time: call it before the transaction. Invalid items are left to the validation of the body.
 */
export async function findDeliveryCodes(request: Request<Shape>): Promise<ReadonlySet<string>> {
  const { items } = request.raw
  if (!Array.isArray(items)) return new Set()
  const codes = new Set(items.filter(isObject).map(({ barcode }) => readCode(barcode, request)))
  codes.delete('')
  const deadline = performance.now() + PLUGIN_TIMEOUT_MS
  const deliveries = new Set<string>()
  for (const code of codes)
    if (isDelivery(code) || (performance.now() < deadline && (await isDeliveryToPlugins(request, code)))) deliveries.add(code)
  return deliveries
}

function isDelivery(text: string): boolean {
  const identifiers = readIdentifiers(text)
  const label = parseGs1Label(text) ?? (identifiers && labelOf(identifiers))
  return label !== undefined && identifiesDelivery(label)
}

const isDeliveryToPlugins = async (request: Request<Shape>, text: string): Promise<boolean> =>
  (await readLabels(request, text)).some(({ label }) => identifiesDelivery(label))
