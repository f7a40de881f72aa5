import { loadSharp } from '../kit/services/pictures.ts'
import { OWNER } from '../resources/web/demo/demo-accounts.ts'
import { attachments } from './data/attachments.ts'
import { pictures } from './data/pictures.ts'
import type { DemoContext } from './past-event.ts'

/** Adds the pictures of parts and companies, and the attachments, once their objects exist. */
export async function addAttachments({ client }: DemoContext): Promise<void> {
  for (const { path, drawing } of pictures) await client.patch(OWNER, path, { image: await renderDrawing(drawing) })
  for (const { path, owner, ...attachment } of attachments) await client.post(OWNER, path, { ...owner, ...attachment })
}

async function renderDrawing(drawing: string): Promise<string> {
  const sharp = await loadSharp()
  const image = await sharp(Buffer.from(drawing)).png().toBuffer()
  return `data:image/png;base64,${image.toString('base64')}`
}
