import type { PoolClient } from 'pg'
import { toPlainSql } from '../../kit/sql/sql.ts'
import { selectBomDigest } from '../../resources/bom/bom-lines.ts'
import type { Validations } from '../reading/relations.ts'

/**
 * Keeps which BOMs and BOM lines are validated. InvenTree 0.17 and later stores that, next to checksums of other columns than before; a
 * checksum here counts only if it is that of the present lines.
 */
export async function keepBomValidations(client: PoolClient, { parts, lines }: Validations): Promise<void> {
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
