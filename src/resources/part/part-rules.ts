import type { Write } from '../../kit/definition/resource.ts'
import { invalidObject } from '../../kit/request/problem.ts'
import { objectionTo } from '../../kit/values/regular-expression.ts'
import { setting } from '../settings/live.ts'
import { newPartRules } from './new-part.ts'

/** Checks and completes a part. (The reference description of parts, sections 1 and 4.) */
export async function partRules(write: Write): Promise<void> {
  const { before, values } = write
  // written only when it changes, because that holds up everyone who moves stock
  if (before && values.variant_of === before.variant_of) values.variant_of = undefined
  await checkCategory(write)
  await checkNumber(write)
  await choosePicture(write)
  if (!before) await newPartRules(write)
}

/** Structural categories hold no parts. The row is held, so that the category cannot become structural meanwhile. */
async function checkCategory({ tx, before, values, errors }: Write): Promise<void> {
  const { category } = values
  if (category === undefined || category === before?.category) return
  const found = await tx.first<{ structural: boolean }>('select structural from part_category where pk = $1 for share', [
    category,
  ])
  if (found?.structural !== false) errors.category = ['Parts cannot be put into a structural category.']
}

async function checkNumber(write: Write): Promise<void> {
  const { tx, before, values, errors } = write
  const number = values.IPN as string | null | undefined
  if (!number || number === before?.IPN) return
  const pattern = setting(write, 'PART_IPN_REGEX').trim()
  if (pattern) {
    // a setting that was imported is older than the rules for expressions
    const objection = objectionTo(pattern)
    if (objection) throw invalidObject(`PART_IPN_REGEX cannot be applied. ${objection}`)
    const fits = await tx.first<{ fits: boolean }>('select $1::text ~ $2 as fits', [number, pattern])
    if (!fits?.fits) errors.non_field_errors = [`The IPN must match ${pattern}`]
  }
  if (setting(write, 'PART_ALLOW_DUPLICATE_IPN')) return
  // two parts with the same number cannot be made at the same time
  await tx.query(`select pg_advisory_xact_lock(hashtext('part_IPN'), hashtext(lower($1)))`, [number])
  const other = await tx.first('select 1 from part where lower("IPN") = lower($1) and pk <> $2 limit 1', [
    number,
    before?.pk ?? 0,
  ])
  if (other) errors.IPN = ['There is another part with this IPN.']
}

/** A picture that another part has already, by the name of its file. That part is locked, so that it does not let it go meanwhile. */
async function choosePicture({ tx, values, errors }: Write): Promise<void> {
  if (values.existing_image === undefined) return
  const path = `part_images/${values.existing_image}`
  if (await tx.first('select 1 from part where image = $1 limit 1 for share', [path])) values.image = path
  else errors.existing_image = ['No part has a picture of this name.']
}
