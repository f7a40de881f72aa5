import type { Client, Pool, QueryResultRow } from 'pg'
import { withMigrationLock } from '../../database/migrate.ts'
import type { UnitRegistry } from '../../notation/units/physical-units.ts'
import { getUnitRegistry } from '../units/unit-registry.ts'
import { toNumericValue, type ValueFormat } from './parameter-value.ts'

/**
 * Recomputes the numbers of parameters whose templates an update marked, because this version reads some values differently. Without marked
 * templates it only checks.
 */
export async function recomputeNumbers(pool: Pool): Promise<void> {
  await withMigrationLock(pool, async (client) => {
    const { rows: templates } = await client.query<ValueFormat & { pk: number }>(
      'select pk, units, checkbox, choices from parameter_template where numbers_outdated order by pk',
    )
    if (templates.length === 0) return
    const query = async <Row extends QueryResultRow>(text: string, values?: unknown[]) =>
      (await client.query<Row>(text, values)).rows
    const registry = await getUnitRegistry({ query })
    for (const template of templates) await recomputeTemplate(client, template, registry)
  })
}

/** Numbers that agree to nine digits stay: other systems compute them in binary floating point. */
async function recomputeTemplate(client: Client, template: ValueFormat & { pk: number }, registry: UnitRegistry): Promise<void> {
  await client.query('begin')
  const { rows } = await client.query<{ data: string }>('select distinct data from parameter where template = $1', [template.pk])
  await client.query(
    `update parameter set data_numeric = new.number
     from unnest($2::text[], $3::numeric[]) new (data, number)
     where parameter.template = $1 and parameter.data = new.data
       and (abs(parameter.data_numeric - new.number) > abs(new.number) * 1e-9 or (parameter.data_numeric is null) <> (new.number is null))`,
    [template.pk, rows.map(({ data }) => data), rows.map(({ data }) => toNumericValue(data, template, registry))],
  )
  await client.query('update parameter_template set numbers_outdated = false where pk = $1', [template.pk])
  await client.query('commit')
}
