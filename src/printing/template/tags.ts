import { CaptureTag, type Context, type Emitter, LayoutTag, type Liquid, Tag } from 'liquidjs'
import { SafeHtml } from './output.ts'

type TagClass = Liquid['tags'][string]

/** `{% extends "label/label_base.html" %}`: the template fills the blocks of another one. */
class ExtendsTag extends LayoutTag {}

/** `{% super %}` in a block: the extended template's content of it. */
class SuperTag extends Tag {
  *render(context: Context, emitter: Emitter): Generator<unknown, void, unknown> {
    emitter.write(yield context._get(['block', 'super']))
  }
}

/** `{% capture name %}`: its content was escaped when it was rendered, so it is not escaped again on output. */
class CapturedTag extends CaptureTag {
  override *render(context: Context): Generator<unknown, void, string> {
    yield super.render(context) as never
    const captured = context.bottom() as Record<string, unknown>
    const { variable } = this as unknown as { variable: string }
    captured[variable] = new SafeHtml(String(captured[variable]))
  }
}

export const customTags: Record<string, TagClass> = {
  extends: ExtendsTag,
  super: SuperTag,
  capture: CapturedTag,
}
