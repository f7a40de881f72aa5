import './style.css'
import { render } from 'preact'
import icon from './icon.svg'
import { followKeys } from './kit/keys.ts'
import { startLanguage } from './kit/language.ts'
import { followLinks } from './kit/router.ts'
import { followNews, startSession } from './kit/session.ts'
import './kit/theme.ts'
import { Shell } from './shell/shell.tsx'

// The way into the console: the page, whatever its address is, loads this.

followLinks()
followKeys()
followNews()
await startLanguage()
const session = startSession()
render(<Shell icon={icon} session={session} />, document.getElementById('console') as HTMLElement)
