import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { before, describe, it } from 'node:test'
import { ROOT } from '../paths.ts'
import { isTemplateModel } from '../printing/kinds.ts'
import { ShippedTemplateFiles } from '../printing/shipped-files.ts'
import { createFilesFolder } from '../testing/files.ts'
import { preparePrinting, printingUnsupported } from '../testing/printing.ts'
import { testService } from '../testing/service.ts'
import { writeDumpFile } from './fixture.ts'
import { importDump } from './import.ts'
import { describeTemplateProblems, findTemplateProblems } from './template-problems.ts'

const shared = join(ROOT, '../shared/data')
const dumpFile = join(shared, 'inventree-1.5-demo.json')
const skip = !existsSync(dumpFile) || printingUnsupported

type FileRecord = { model: string; pk: number; fields: Record<string, any> }

describe('the attachments, templates and tags of a dump of InvenTree 1.5', { skip }, () => {
  let service: Awaited<ReturnType<typeof testService>>
  let records: FileRecord[]
  before(async () => {
    const { dataDir } = createFilesFolder()
    service = await testService({ ...(await preparePrinting()), DATA_DIR: dataDir }, { runsBackgroundWork: false })
    // what other kinds of objects it has is tested elsewhere
    const all: FileRecord[] = JSON.parse(readFileSync(dumpFile, 'utf8')).filter(({ model }: FileRecord) => model)
    const models =
      /^(auth|users|part\.part(category)?$|company|stock\.stock(item|location)$|build\.build|order|common\.(attachment|projectcode)|report|taggit)/
    records = all.filter(({ model }) => models.test(model) && !/transferorder|pricebreak/.test(model))
    await service.pool.query('delete from user_account; delete from user_group')
    const { files } = service.app.routes.services
    const report = await importDump(service.pool, writeDumpFile(JSON.stringify(records)), {
      skipInvalid: true,
      media: { sourceFolder: join(shared, 'inventree-1.5-media'), files },
    })
    assert.deepEqual(
      report.problems.describe().filter((line) => !/transferorder/.test(line) && /attachment|template|tag/.test(line)),
      [],
    )
  })

  const ofModel = (model: string) => records.filter((record) => record.model === model)

  it('keep keys, objects, accounts, sizes and tags', async () => {
    const attachments = ofModel('common.attachment').filter(({ fields }) => fields.model_type !== 'transferorder')
    const stored = await service.rows(
      `select a.pk, model_type, coalesce(part, stock_item, company, supplier_part, manufacturer_part, build_order, purchase_order,
         sales_order, sales_order_shipment, return_order) as model_id, attachment, link, comment, u.username, upload_date::text,
         is_image, file_size, tags, metadata from attachment a left join user_account u on u.pk = a."user" order by a.pk`,
    )
    const tags = (pk: number) =>
      records
        .filter(
          ({ model, fields }) =>
            model === 'taggit.taggeditem' && fields.content_type[1] === 'attachment' && fields.object_id === pk,
        )
        .map(({ fields }) => fields.tag[0])
    assert.deepEqual(
      stored,
      attachments.map(({ pk, fields: { upload_user, thumbnail, ...fields } }) => ({
        pk,
        model_type: fields.model_type,
        model_id: fields.model_id,
        attachment: fields.attachment || stored.find((row) => row.pk === pk).attachment,
        link: fields.link,
        comment: fields.comment,
        username: upload_user?.[0] ?? null,
        upload_date: fields.upload_date,
        is_image: fields.is_image,
        file_size: fields.file_size,
        tags: tags(pk),
        metadata: fields.metadata,
      })),
    )
  })

  it('keep the keys and values of templates', async () => {
    for (const area of ['label', 'report']) {
      const templates = ofModel(`report.${area}template`).filter(({ fields }) => isTemplateModel(fields.model_type))
      const rows = await service.rows(`select * from ${area}_template order by pk`)
      for (const { pk, fields } of templates) {
        const row = rows.find((one) => one.pk === pk)
        for (const name of [
          'name',
          'description',
          'model_type',
          'template',
          'filters',
          'enabled',
          'filename_pattern',
          'revision',
          'merge',
          'attach_to_model',
        ])
          if (name in fields && name in row) assert.deepEqual(row[name], fields[name], `${area} ${pk} ${name}`)
        assert.equal(row.updated.toISOString(), new Date(fields.updated).toISOString())
      }
    }
  })

  it('print, or their errors are reported by template and line', async () => {
    const { services } = service.app.routes
    const problems = await findTemplateProblems({ ...services, files: new ShippedTemplateFiles(services.files) })
    console.error(describeTemplateProblems(problems).join('\n'))
    assert.deepEqual(problems, [])
  })
})
