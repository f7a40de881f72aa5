import { buffer } from 'node:stream/consumers'
import { HEAD_BYTES, isPath } from '../../kit/services/files.ts'
import { pictureExtension } from '../../kit/services/pictures.ts'
import type { Services } from '../../kit/services/services.ts'

/** Number of files whose size is stored in one transaction. */
const BATCH_SIZE = 100

/**
 * Stores the size of files whose size is unknown, and whether they are pictures: those of an earlier version of the service, and of an
 * imported dump. A missing file has the size 0. Returns their number.
 */
export async function backfillFileSizes({ database, files }: Pick<Services, 'database' | 'files'>): Promise<number> {
  const readSize = async (path: string): Promise<{ size: number; isPicture: boolean }> => {
    const file = isPath(path) ? await files.find(path) : undefined
    if (!file || file.size === 0) return { size: 0, isPicture: false }
    const head = await buffer(files.read(path, { start: 0, end: Math.min(file.size, HEAD_BYTES) - 1 }))
    return { size: file.size, isPicture: pictureExtension(head) !== undefined }
  }
  let storedCount = 0
  for (let count = BATCH_SIZE; count === BATCH_SIZE; storedCount += count) {
    const rows = await database.read<{ pk: number; attachment: string | null }>({
      text: `select pk, attachment from attachment where file_size is null order by pk limit ${BATCH_SIZE}`,
    })
    const sized: ({ pk: number; attachment: string | null } & Awaited<ReturnType<typeof readSize>>)[] = []
    for (const { pk, attachment } of rows) sized.push({ pk, attachment, ...(await readSize(attachment ?? '')) })
    if (sized.length > 0)
      await database.transaction(async (tx) => {
        // for clients nothing has changed
        await tx.query('set local stockroom.events = off')
        await tx.query(
          `update attachment set file_size = sized.size, is_image = sized."isPicture"
           from json_to_recordset($1) sized (pk integer, attachment text, size bigint, "isPicture" boolean)
           where attachment.pk = sized.pk and attachment.file_size is null and attachment.attachment is not distinct from sized.attachment`,
          [JSON.stringify(sized)],
        )
      })
    count = rows.length
  }
  return storedCount
}
