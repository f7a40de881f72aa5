import { Type } from 'typebox'
import { view } from '../../../../kit/definition/action.ts'
import { signedIn } from '../../../../kit/request/caller.ts'
import { builtInTemplates } from '../../../../printing/defaults/built-in.ts'
import { isLabel } from '../../../../printing/kinds.ts'
import { getSubject } from '../../../printing/subjects.ts'

/** The templates that come with the service, to begin a new one with. */
export const listBuiltInTemplates = view({
  path: '/api/web/template/shipped/',
  summary: 'List the templates that come with the service',
  description:
    'The templates of this version with their texts, of the kinds that the account can view, even if they were deleted.',
  access: signedIn,
  response: Type.Array(
    Type.Object({
      kind: Type.String({ description: 'The kind of template: its address below `/api/`.' }),
      name: Type.String(),
      description: Type.String(),
      width: Type.Union([Type.Number(), Type.Null()], { description: 'The width of a label, in millimeters.' }),
      height: Type.Union([Type.Number(), Type.Null()], { description: 'The height of a label, in millimeters.' }),
      text: Type.String({ description: 'The text of the template.' }),
    }),
  ),
  read: ({ caller }) =>
    builtInTemplates
      .filter(({ kind }) => getSubject(kind).access(caller, 'view'))
      .map(({ kind, name, description, size, text }) => ({
        kind,
        name,
        description,
        width: isLabel(kind) ? (size?.width ?? null) : null,
        height: isLabel(kind) ? (size?.height ?? null) : null,
        text,
      })),
})
