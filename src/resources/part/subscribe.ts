import { Type } from 'typebox'
import { type Field, writeOnly } from '../../kit/definition/field.ts'
import { boolean } from '../../kit/definition/input.ts'
import type { Expression } from '../../kit/sql/sql.ts'
import type { Tx } from '../../kit/sql/tx.ts'

/** The field `starred`: whether the caller is subscribed to the object itself. Read-only in forms, but an update can set it. */
export const starredField = (isSubscribed: Expression, help: string): Field =>
  writeOnly(
    { ...boolean(), options: { type: 'field', read_only: true } },
    {
      constant: isSubscribed,
      schema: Type.Boolean(),
      help: `${help} Changing it subscribes or unsubscribes; it is ignored for a new object.`,
    },
  )

/**
 * Subscribes an account to a part, or unsubscribes it. An account that is already subscribed through a template or a category above the
 * part gets no subscription of its own.
 */
export async function subscribeToPart(tx: Tx, user: number, part: number, subscribe: boolean): Promise<void> {
  if (!subscribe) {
    await tx.query('delete from part_star where part = $1 and "user" = $2', [part, user])
    return
  }
  await tx.query(
    `insert into part_star (part, "user")
     select p.pk, $2 from part p left join part_category c on c.pk = p.category
     where p.pk = $1
       and not exists (select from part_star where "user" = $2 and part = any(p.path))
       and not exists (select from part_category_star where "user" = $2 and category = any(c.path))
     on conflict do nothing`,
    [part, user],
  )
}

/** Subscribes an account to a category, or unsubscribes it: the subscription includes every category and part below. */
export async function subscribeToCategory(tx: Tx, user: number, category: number, subscribe: boolean): Promise<void> {
  if (!subscribe) {
    await tx.query('delete from part_category_star where category = $1 and "user" = $2', [category, user])
    return
  }
  await tx.query(
    `insert into part_category_star (category, "user")
     select c.pk, $2 from part_category c
     where c.pk = $1 and not exists (select from part_category_star where "user" = $2 and category = any(c.path))
     on conflict do nothing`,
    [category, user],
  )
}
