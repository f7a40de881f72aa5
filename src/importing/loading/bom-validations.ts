import type { PoolClient } from 'pg'
import { toPlainSql } from '../../kit/sql/sql.ts'
import { selectBomDigest } from '../../resources/bom/bom-lines.ts'
import type { Validations } from '../reading/relations.ts'

/**
 * Stores which BOMs and BOM lines are validated. InvenTree 0.17 and later has a flag for that, and computes its checksums from other columns
 * than earlier versions and ours. Each validated BOM gets the checksum of its current lines.
 */
export async function storeBomValidations(client: PoolClient, { parts, lines }: Validations): Promise<void> {
  await client.query(
    `update part set bom_checksum = case when stored.validated then stored.digest else '' end
     from (
       select part.pk, given.validated, ${toPlainSql(selectBomDigest('part.pk'))} as digest
       from part join unnest($1::integer[], $2::boolean[]) given (pk, validated) on given.pk = part.pk
     ) stored
     where part.pk = stored.pk and (part.bom_checksum = stored.digest) <> stored.validated`,
    [[...parts.keys()], [...parts.values()]],
  )
  await client.query(
    `update bom_item line set checksum = case when given.validated then line.digest else '' end
     from unnest($1::integer[], $2::boolean[]) given (pk, validated)
     where line.pk = given.pk and (line.checksum = line.digest) <> given.validated`,
    [[...lines.keys()], [...lines.values()]],
  )
}
