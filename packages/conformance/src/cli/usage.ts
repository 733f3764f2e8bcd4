export const usage = `Usage: portal-embed-conformance portal --url <address> [options]
       portal-embed-conformance host --url <address> [options]

portal checks a reports portal over its HTTP API. It only reads, unless you add --write.
host checks the endpoint of an application that gives the browser an identity URL.

Exits with 0 if no rule is broken, 1 if one is or if something could not be removed, and 2 if checks
could not run.

Options of portal
  --key <key>            API key; better in the environment variable PORTAL_API_KEY, because other
                         users of this machine can see the options of a command
  --write                also create users, links and identity URLs, and remove the users and links
                         at the end. Use an organization for tests
  --limited-key <key>    a key that may call only some endpoints; also PORTAL_LIMITED_API_KEY
  --organization <id>    organization of the key. Default: found in the access log
  --report <id>          report that identity URLs open. Default: the first one
  --dataset <id>, --role <name>
                         row-level-security role that is linked. Default: the first one
  --group <id>           group that the role is linked to. Default: one that a user or role names
  --base-url <address>   baseUrl of identity URLs
  --filter <key>=<value> a custom filter that the report accepts
  --email-domain <name>  domain of the created users. Default: example.com
  --slow                 also wait five minutes until a URL has expired

Options of host
  --cookie <cookies>     cookies of a signed-in user; better in the environment variable HOST_COOKIE
  --origin <origin>      origin of the pages that call the endpoint. Default: that of --url
  --report <id>          a report that the user may open. Default: the whole portal
  --allowed-origin <origin>
                         another origin whose pages may call the endpoint
  --locked-filter <key>=<value>
                         a filter that the host locks for the user
  If the environment variable PORTAL_API_KEY is set, no answer may contain it.

Options of both
  --header <name: value> more headers, of every request to the portal's API, or of the signed-in user
                         of the host. Repeat it for each
  --skip <rule>          leave out this rule, or those below it. Repeat it for each
  --junit <file>         also write the results as JUnit XML
  --quiet                print only broken rules and the summary
  --timeout <seconds>    total time of each request. Default: 10
  --max-seconds <n>      total time of all checks. Default: 180
  --max-requests <n>     number of requests. Default: 600
  -h, --help             print this help
`;
