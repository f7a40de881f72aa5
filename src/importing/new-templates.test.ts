import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { before, describe, it } from 'node:test'
import { getTableName } from 'drizzle-orm'
import { ROOT } from '../paths.ts'
import { BuiltInTemplateFiles } from '../printing/built-in-files.ts'
import { isTemplateModel, TEMPLATE_MODELS, type TemplateModel } from '../printing/kinds.ts'
import { createLibrary } from '../printing/library.ts'
import { createRenderer } from '../resources/printing/fixture.ts'
import { getSubject } from '../resources/printing/subjects.ts'
import { createFilesFolder } from '../testing/files.ts'
import { preparePrinting, printingUnsupported } from '../testing/printing.ts'
import { testService } from '../testing/service.ts'
import { writeDumpFile } from './fixture.ts'
import { importDump } from './import.ts'
import { describeTemplateProblems, findTemplateProblems } from './template-problems.ts'

const shared = join(ROOT, '../shared/data')
const dumpFile = join(shared, 'inventree-1.5-demo.json')
const skip = !existsSync(dumpFile) || printingUnsupported

/** What some of its templates print of the first two objects. */
const PRINTED: Record<string, RegExp> = {
  'label 1': /R_10R_0402_1%.*R_10R_0603_1%/,
  'label 6': /Build Order: BO0001 Build Qty: 15 Part: Red Widget IPN: widget\.red Qty \/ Unit: 3 Qty Total: 45/,
  'report 1': /Bill of Materials Part R_10R_0402_1% 10R resistor in 0402 SMD package/,
  'report 2': /Build Order BO0001 Part Widget Assembly Quantity 15 .* Issued By admin/,
  'report 3': /Purchase Order PO0001 DigiKey .* R_100K_0402_1% 1000 \$0\.05 \$50\.00/,
  'report 4': /Sales Order SO0001 Customer A .* Blue Chair 3 \$50\.00 \$150\.00/,
  'report 5': /Shipment 001 Sales Order SO0001 Customer A .* Blue Chair Quantity: 3/,
  'report 6': /Return Order RMA-0002 Customer B .* Widget Assembly Variant 25/,
  'report 8': /R_10K_0402_1% .* Quantity: 440 No tests defined/,
  'report 9': /Stock Item ID: 2 Quantity: 440 .* Stock Item ID: 3 Quantity: 610/,
  'report 10': /Stock location items Factory Part IPN Quantity Note .* widget\.blue/,
}

/** The text of a document. */
const toText = (html: string): string =>
  html
    .replaceAll(/<style.*?<\/style>/gs, '')
    .replaceAll(/<[^>]+>/g, ' ')
    .replaceAll(/\s+/g, ' ')

type FileRecord = { model: string; pk: number; fields: Record<string, any> }

const { dataDir } = createFilesFolder()
const service = await testService({ ...(await preparePrinting()), DATA_DIR: dataDir }, { runsBackgroundWork: false })

describe('the attachments, templates and tags of a dump of InvenTree 1.5', { skip }, () => {
  let records: FileRecord[]
  before(async () => {
    // what other kinds of objects it has is tested elsewhere
    const all: FileRecord[] = JSON.parse(readFileSync(dumpFile, 'utf8')).filter(({ model }: FileRecord) => model)
    const models =
      /^(auth|users|part\.(part(category)?|bomitem)$|company|stock\.stock(item|location)$|build\.build|order|common\.(attachment|projectcode)|report|taggit)/
    records = all.filter(({ model }) => models.test(model) && !/pricebreak/.test(model))
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
    // of a stock item that was deleted
    const orphan = 15
    const attachments = ofModel('common.attachment').filter(({ pk }) => pk !== orphan)
    const stored = await service.rows(
      `select a.pk, model_type, coalesce(part, stock_item, company, supplier_part, manufacturer_part, build_order, purchase_order,
         sales_order, sales_order_shipment, return_order, transfer_order) as model_id, attachment, link, comment, u.username,
         upload_date::text, is_image, file_size, tags, metadata from attachment a left join user_account u on u.pk = a."user" order by a.pk`,
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
        assert.equal(new Date(row.updated).toISOString(), new Date(fields.updated).toISOString())
      }
    }
  })

  it('print, or their errors are reported by template and line', async () => {
    const { services } = service.app.routes
    const problems = await findTemplateProblems({ ...services, files: new BuiltInTemplateFiles(services.files) })
    assert.deepEqual(problems, [])
  })

  it('print with the names, tags and filters of InvenTree 1.5', async () => {
    const { services } = service.app.routes
    const library = createLibrary(services, undefined)
    const { texts } = createRenderer(service)
    const printed: string[] = []
    for (const area of ['label', 'report'] as const)
      for (const row of await service.rows(
        `select * from ${area}_template where template ~ '^report/(label|report)/' order by pk`,
      )) {
        const kind = TEMPLATE_MODELS[row.model_type as TemplateModel][area]
        const { table } = getSubject(kind).objects
        const items = await service.rows(`select pk from ${getTableName(table)} order by pk limit 2`)
        assert.ok(items.length > 0, `no object for ${row.name}`)
        const source = (await services.files.bytes(row.template)).toString()
        const template = { ...row, width: Number(row.width ?? 0), height: Number(row.height ?? 0) }
        const print = { kind, template, items: items.map(({ pk }) => pk), library } as never
        const outputs = await texts(source, print).catch((error: Error) =>
          assert.fail(`${area} template ${row.pk} ${row.name}: ${error.stack}`),
        )
        const text = outputs.map(toText).join(' ')
        assert.match(text, PRINTED[`${area} ${row.pk}`] ?? /^/, `${row.name}: ${text.slice(0, 500)}`)
        assert.equal(outputs.length, row.merge ? 1 : items.length, row.name)
        for (const output of [...outputs, ...(await texts(source, { kind, template, library } as never))])
          assert.ok(output.trim().length > 0, `${row.name} is empty`)
        printed.push(`${area} ${row.pk}`)
      }
    assert.equal(printed.length, 11 + 18)
  })
})

describe('templates that use what this service does not have', () => {
  it('are listed by template and line', () =>
    assert.deepEqual(
      describeTemplateProblems([
        {
          kind: 'report template',
          pk: 7,
          name: 'Own',
          path: 'report/report/own.html',
          problems: ['There is no filter x (line 3, column 2)'],
        },
      ]),
      [
        '1 template uses what this service does not have and cannot be printed:',
        'report template 7 "Own" (report/report/own.html): There is no filter x (line 3, column 2)',
      ],
    ))
})
