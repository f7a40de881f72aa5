import { buildAttachments as table } from '../../attachment/attachment-views.ts'
import { attachmentResource } from '../../attachment/by-kind.ts'
import { BUILD_ORDER } from '../build-kind.ts'

export const buildAttachment = attachmentResource(
  table,
  {
    name: 'Build order',
    model: 'build',
    path: BUILD_ORDER.path,
    access: BUILD_ORDER.access,
    column: table.build,
    folder: 'bo_files',
  },
  {
    pk: 1,
    create: { build: 1, link: 'https://songbird.example/assembly-wren.pdf', comment: 'Assembly drawing' },
    change: { comment: 'Assembly drawing, second edition' },
    deletable: 1,
  },
)
