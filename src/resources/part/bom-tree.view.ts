import { Type } from 'typebox'
import { Json, type Request, view } from '../../kit/definition/action.ts'
import type { Shape } from '../../kit/definition/input.ts'
import { buildThumbnailUrlSql } from '../../kit/definition/media.ts'
import { changeRoles } from '../../kit/request/caller.ts'
import { notFound } from '../../kit/request/problem.ts'
import { toPlainSql } from '../../kit/sql/sql.ts'
import { selectLinesUsing } from '../bom/bom-lines.ts'
import { defaultCurrency } from '../currency/rates.ts'
import { allocatedSql } from '../stock/allocated-quantities.ts'

/** Maximum number of lines of a tree; below the first levels they can be very many. */
const MAX_LINES = 5_000
/** Maximum depth of a tree. BOMs contain no loops. */
const MAX_DEPTH = 50

const PartBrief = Type.Object({
  pk: Type.Integer(),
  full_name: Type.String(),
  units: Type.Union([Type.String(), Type.Null()]),
  thumbnail: Type.String(),
  active: Type.Boolean(),
  assembly: Type.Boolean(),
})

const partBrief = `json_build_object('pk', part.pk, 'full_name', part.full_name, 'units', part.units,
  'thumbnail', ${buildThumbnailUrlSql('part.image')}, 'active', part.active, 'assembly', part.assembly)`

/** Fields of a line that both trees have, with their SQL. */
const LINE_FIELDS = `'line', line.pk, 'reference', line.reference, 'optional', line.optional,
  'quantity', trim_scale(line.quantity), 'total_quantity', trim_scale(shown.total), 'part_detail', ${partBrief}`

const lineSchema = {
  line: Type.Integer({ description: 'The key of the BOM line.' }),
  reference: Type.String({ description: 'The designators in the assembly.' }),
  optional: Type.Boolean({ description: 'Whether the assembly can be built without it.' }),
  quantity: Type.Number({ description: 'The quantity of the component in one unit of its assembly.' }),
  part_detail: PartBrief,
  depth: Type.Integer({ description: 'The level of the line: 1 for the lines of the part itself.' }),
}

const Cost = (help: string) =>
  Type.Union([Type.String({ format: 'decimal' }), Type.Null()], { description: `${help}; null if it is unknown.` })

const COMPLETE = Type.Boolean({ description: `Whether all lines are listed: at most ${MAX_LINES} are.` })

/** SQL of an amount for a total quantity, without a price in another currency than that of the response. */
const cost = (bound: string) => `case when price.currency = $2 then trim_scale(price.overall_${bound} * shown.total)::text end`

/** The first lines, level by level, so that a tree that is too large lacks the deepest ones. */
const wrap = (tree: string, fields: string, joins: string): string => `
  with recursive tree as (${tree}), shown as (select *, row_number() over () as position from tree limit ${MAX_LINES + 1})
  select coalesce(json_agg(json_build_object(${LINE_FIELDS}, ${fields}) order by shown.path) filter (where position <= ${MAX_LINES}), '[]')::text as lines,
    count(*)::integer as count
  from shown join bom_item line on line.pk = shown.line ${joins}`

const BOM_TREE = wrap(
  `select line.pk as line, line.sub_part, array[line.pk] as path, line.quantity * 1 as total from bom_lines($1) line
   union all
   select line.pk, line.sub_part, tree.path || line.pk, tree.total * line.quantity
   from tree cross join lateral bom_lines(tree.sub_part) line where cardinality(tree.path) < ${MAX_DEPTH}`,
  `'depth', cardinality(shown.path), 'assembly', line.part, 'consumable', line.consumable or part.consumable,
   'available_stock', trim_scale(stock.in_stock - ${allocatedSql((name) => `stock.${name}`)}),
   'cost_min', ${cost('min')}, 'cost_max', ${cost('max')}`,
  `join part on part.pk = line.sub_part join part_quantity stock on stock.pk = part.pk
   left join part_pricing price on price.part = part.pk`,
)

export const readBomTree = view({
  path: '/api/part/{id}/bom-tree/',
  summary: 'Get the BOM of a part with those of its components',
  description:
    'Returns the lines of the BOM of a part, and below each component that is an assembly the lines of its BOM, at any depth. Each line has the quantity in one unit of the part, multiplied through all levels and without expected losses, and its cost.',
  access: changeRoles('bom'),
  example: { params: { id: 23 } },
  response: Type.Object({
    currency: Type.String({ description: 'The currency of the costs.' }),
    complete: COMPLETE,
    lines: Type.Array(
      Type.Object({
        ...lineSchema,
        total_quantity: Type.Number({ description: 'The quantity of the component in one unit of the part, in its units.' }),
        assembly: Type.Integer({
          description: 'The part whose BOM has the line: the assembly, or a template that it inherits from.',
        }),
        consumable: Type.Boolean({ description: 'Whether it is consumed without being counted.' }),
        available_stock: Type.Number({ description: 'The available stock of the component, without variants and substitutes.' }),
        cost_min: Cost('The minimum cost of the total quantity, by the price of the component itself'),
        cost_max: Cost('The maximum cost of the total quantity'),
      }),
      { description: 'The lines, each followed by those of its component.' },
    ),
  }),
  read(request) {
    const currency = defaultCurrency(request)
    return readTree(request, BOM_TREE, [request.pk, currency], `"currency":${JSON.stringify(currency)},`)
  },
})

/** Lines that can use a part, each with an assembly: the one of the line, or a variant that inherits it. */
const linesUsing = (part: string) => `(
  select line.*, assembly.pk as assembly, case
      when line.sub_part = ${part} then 'component'
      when exists (select from bom_item_substitute substitute where substitute.bom_item = line.pk and substitute.part = ${part})
      then 'substitute' else 'variant' end as use
  from bom_item line join part assembly on assembly.pk = line.part or (line.inherited and assembly.path @> array[line.part])
  where line.pk in ${toPlainSql(selectLinesUsing(part))}
)`

const USED_IN_TREE = wrap(
  `select line.pk as line, line.assembly, line.use, array[line.assembly, line.pk] as path, line.quantity * 1 as total
   from ${linesUsing('$1')} line
   union all
   select line.pk, line.assembly, line.use, tree.path || array[line.assembly, line.pk], tree.total * line.quantity
   from tree cross join lateral ${linesUsing('tree.assembly')} line where cardinality(tree.path) < ${MAX_DEPTH * 2}`,
  `'depth', cardinality(shown.path) / 2, 'use', shown.use`,
  'join part on part.pk = shown.assembly',
)

export const readUsedInTree = view({
  path: '/api/part/{id}/used-in-tree/',
  summary: 'Get the assemblies that contain a part',
  description:
    'Returns the assemblies whose BOM can use a part, and below each the assemblies that contain it, at any depth. Each has the quantity of the part in one unit of the assembly, multiplied through all levels and without expected losses.',
  access: changeRoles('bom'),
  example: { params: { id: 1 } },
  response: Type.Object({
    complete: COMPLETE,
    lines: Type.Array(
      Type.Object({
        ...lineSchema,
        total_quantity: Type.Number({ description: 'The quantity of the part in one unit of the assembly.' }),
        use: Type.Union([Type.Literal('component'), Type.Literal('variant'), Type.Literal('substitute')], {
          description: 'The use in the line: as its component, as an allowed variant of it, or as a substitute.',
        }),
      }),
      { description: 'The assemblies (`part_detail`), each followed by those that contain it.' },
    ),
  }),
  read: (request) => readTree(request, USED_IN_TREE, [request.pk]),
})

/** @param first the first fields of the response, as JSON */
async function readTree({ pk, database }: Pick<Request<Shape>, 'pk' | 'database'>, text: string, values: unknown[], first = '') {
  const [part] = await database.read({ text: 'select from part where pk = $1', values: [pk] })
  if (!part) throw notFound()
  const [tree] = await database.read<{ lines: string; count: number }>({ text, values })
  const { lines, count } = tree as { lines: string; count: number }
  return new Json(`{${first}"complete":${count <= MAX_LINES},"lines":${lines}}`)
}
