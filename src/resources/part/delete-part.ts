import type { Body, Deletion } from '../../kit/definition/resource.ts'
import { Problem } from '../../kit/request/problem.ts'
import type { Tx } from '../../kit/sql/tx.ts'
import { namedKey } from '../../kit/values/json.ts'
import { lockBom } from '../bom/bom-rules.ts'
import { lockStock } from '../stock/stock-item-rules.ts'

/**
 * Takes the locks of the variants' tree and of the sums of stock before a part is locked, if this change moves it to another
 * template, or deletes it (an empty body): those who move stock take them in this order too. Whoever says whether a part is trackable
 * waits for whoever writes a bill of materials, from which that follows; so does whoever moves a part, which inherits others then.
 */
export async function lockPartTree(tx: Tx, [pk]: readonly number[], body: Body): Promise<void> {
  const isMoved = Object.keys(body).length === 0 || (await moves(tx, pk, body))
  if (isMoved) await tx.query(`select lock_tree('part'), pg_advisory_xact_lock(hashtext('quantities'), 0)`)
  if (isMoved || 'trackable' in body) await lockBom(tx)
  // what its packs hold, and so what is ordered of it
  if ('units' in body) lockStock(tx)
}

async function moves(tx: Tx, pk: number | undefined, body: Body): Promise<boolean> {
  if (!('variant_of' in body)) return false
  const template = body.variant_of ? namedKey(body.variant_of) : null
  return (
    (await tx.first('select 1 from part where pk = $1 and variant_of is distinct from $2::integer', [pk, template])) !== undefined
  )
}

/**
 * Only parts that are out of use are deleted. What belongs to them goes along: stock, supplier parts, prices. Existing clients
 * expect the bare text (the table WIRE_FORM).
 */
export function refuseActive({ row, config }: Deletion): void {
  if (!row.active) return
  const form = config.wireForm === 'inventree' ? 'bare' : 'detail'
  throw new Problem('method_not_allowed', 'Part is active: cannot delete', { allow: 'GET, PUT, PATCH, HEAD, OPTIONS' }, form)
}
