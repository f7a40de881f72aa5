import { Type } from 'typebox'
import { action } from '../../kit/definition/action.ts'
import * as input from '../../kit/definition/input.ts'
import { rolesThatChange } from '../../kit/request/caller.ts'
import { invalid, invalidObject, notFound } from '../../kit/request/problem.ts'
import { lockBom } from '../bom/bom-rules.ts'
import { copyBom } from '../bom/copy-bom.ts'
import { part } from './part.table.ts'
import { partErrors } from './part-errors.ts'

export const copyBomOfPart = action({
  method: 'POST',
  path: '/api/part/{id}/bom-copy/',
  summary: 'Copy the bill of materials of another part',
  description:
    'Gives a part the lines of another one. A line that the part inherits already is not copied, and no substitute that is of the part itself. None of the copies counts as valid yet.',
  refuses: {
    invalid:
      'The part is no assembly; the other one does not exist, or is the part itself; or by one of its lines the part would contain itself, or takes a fraction of a trackable component, unless `skip_invalid` is on.',
  },
  example: { params: { id: 24 }, body: { part: 23, remove_existing: true } },
  access: rolesThatChange('part'),
  body: {
    part: input.reference(() => part, {
      required: true,
      options: { model: 'part', api_url: '/api/part/' },
      help: 'The part whose bill of materials is copied.',
    }),
    remove_existing: input.boolean({
      default: true,
      label: 'Remove Existing Data',
      help: 'Whether the lines that the part has itself are deleted first. Those that it inherits stay.',
    }),
    include_inherited: input.boolean({
      default: false,
      label: 'Include Inherited',
      help: 'Whether lines that the other part inherits of its templates are copied too.',
    }),
    skip_invalid: input.boolean({
      default: false,
      label: 'Skip Invalid Rows',
      help: 'Whether lines by which the part would contain itself, or takes a fraction of a trackable component, are left out, in place of refusing the whole.',
    }),
    copy_substitutes: input.boolean({
      default: true,
      label: 'Copy Substitute Parts',
      help: 'Whether the copies get the parts that may be used in place of the components too.',
    }),
  },
  answer: Type.Object({
    part: Type.Integer(),
    remove_existing: Type.Boolean(),
    include_inherited: Type.Boolean(),
    skip_invalid: Type.Boolean(),
    copy_substitutes: Type.Boolean(),
  }),
  async run({ tx, pk, body }) {
    await lockBom(tx)
    const target = await tx.first<{ assembly: boolean }>('select assembly from part where pk = $1 for share', [pk])
    if (!target) throw notFound()
    if (!target.assembly) throw invalidObject(partErrors.part_not_an_assembly)
    if (body.part === pk) throw invalid({ part: [partErrors.bom_of_itself] })
    await copyBom(tx, body.part, pk, body)
    return body
  },
})
