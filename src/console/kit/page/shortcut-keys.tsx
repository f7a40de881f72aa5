import { Fragment } from 'preact'
import { type PlainKey, t } from '../language/language.ts'
import { Icon, type IconName } from './icon.tsx'

/** Captions of keys where they differ from the name: a word, an arrow, or both. */
const KEY_CAPTIONS: Record<string, { word?: PlainKey; icon?: IconName }> = {
  ArrowDown: { icon: 'down' },
  ArrowLeft: { icon: 'left' },
  ArrowRight: { icon: 'right' },
  ArrowUp: { icon: 'up' },
  Ctrl: { word: 'cap.ctrl' },
  End: { word: 'cap.end' },
  Escape: { word: 'cap.escape' },
  Home: { word: 'cap.home' },
  PageDown: { word: 'cap.page', icon: 'down' },
  PageUp: { word: 'cap.page', icon: 'up' },
  Shift: { word: 'cap.shift' },
  Space: { word: 'cap.space' },
}

/** A key of the reader's keyboard. */
function KeyCaption({ name }: { name: string }) {
  const { word, icon } = KEY_CAPTIONS[name] ?? {}
  if (!word && !icon) return <>{name}</>
  return (
    <>
      {word && t(word)}
      {icon && <Icon name={icon} />}
    </>
  )
}

/** The keys of a command, as captions of a keyboard. @param keys as commands have them: `g c` */
export const ShortcutKeys = ({ keys = '' }: { keys?: string | undefined }) => (
  <>
    {keys.split(' ').map((key) => (
      <kbd key={key}>
        {key.split('+').map((name, index) => (
          <Fragment key={name}>
            {index > 0 && '+'}
            <KeyCaption name={name} />
          </Fragment>
        ))}
      </kbd>
    ))}
  </>
)
