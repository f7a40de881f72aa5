import { Type } from 'typebox'
import { action } from '../../kit/definition/action.ts'
import * as input from '../../kit/definition/input.ts'
import { changeRoles } from '../../kit/request/caller.ts'
import { invalid, invalidObject, notFound } from '../../kit/request/problem.ts'
import { lockBom, requireUnlockedAssemblies } from '../bom/bom-rules.ts'
import { copyBom } from '../bom/copy-bom.ts'
import { part } from './part.table.ts'
import { partErrors } from './part-errors.ts'

export const copyBomOfPart = action({
  method: 'POST',
  path: '/api/part/{id}/bom-copy/',
  summary: 'Copy the BOM of another part',
  description:
    'Copies the BOM lines of another part to this part. Skips lines that the part already inherits, and substitutes that are the part itself. The copies are not validated.',
  errors: {
    invalid:
      'The part is not an assembly; the other part does not exist, or is the part itself; or with one of its lines the part would contain itself or a fraction of a trackable component, unless `skip_invalid` is on.',
  },
  example: { params: { id: 24 }, body: { part: 23, remove_existing: true } },
  access: changeRoles('bom'),
  body: {
    part: input.reference(() => part, {
      required: true,
      options: { model: 'part', api_url: '/api/part/' },
      help: 'The part to copy the BOM from.',
    }),
    remove_existing: input.boolean({
      default: true,
      label: 'Remove Existing Data',
      help: 'Whether to delete the existing lines of the part first. Inherited lines remain.',
    }),
    include_inherited: input.boolean({
      default: false,
      label: 'Include Inherited',
      help: 'Whether to copy lines that the other part inherits from its templates.',
    }),
    skip_invalid: input.boolean({
      default: false,
      label: 'Skip Invalid Rows',
      help: 'Whether to skip lines that would make the part contain itself or a fraction of a trackable component; otherwise they are an error.',
    }),
    copy_substitutes: input.boolean({
      default: true,
      label: 'Copy Substitute Parts',
      help: 'Whether to copy the substitutes of the lines.',
    }),
  },
  response: Type.Object({
    part: Type.Integer(),
    remove_existing: Type.Boolean(),
    include_inherited: Type.Boolean(),
    skip_invalid: Type.Boolean(),
    copy_substitutes: Type.Boolean(),
  }),
  async run(request) {
    const { tx, pk, body } = request
    await lockBom(tx)
    const target = await tx.first<{ assembly: boolean }>('select assembly from part where pk = $1 for share', [pk])
    if (!target) throw notFound()
    if (!target.assembly) throw invalidObject(partErrors.part_not_an_assembly)
    await requireUnlockedAssemblies(request, [pk])
    if (body.part === pk) throw invalid({ part: [partErrors.bom_of_itself] })
    await copyBom(tx, body.part, pk, body)
    return body
  },
})
