export const usage = `Usage: portal-embed-conformance portal --url <address> [options]
       portal-embed-conformance host --url <address> [options]

portal checks the HTTP API of a reports portal. It only reads, unless you add --write.
host checks the endpoint of an application from which browsers get identity URLs.

Exits with 0 if no rule is broken, 1 if a rule is broken or something could not be removed, and 2
if checks could not run or did not finish.

Options of portal
  --key <key>            API key. Better set the environment variable PORTAL_API_KEY, because other
                         users of this machine can see the options of a command
  --write                also create users, links and identity URLs, and remove the users and links
                         at the end. Use a test organization
  --limited-key <key>    a key that may call only some endpoints; or set PORTAL_LIMITED_API_KEY
  --organization <id>    organization of the key. Default: found in the access log
  --report <id>          report that identity URLs open. Default: the first report
  --dataset <id>, --role <name>
                         row-level-security role that is linked. Default: the first role
  --group <id>           group that the role is linked to. Default: a group that a user or role has
  --base-url <address>   baseUrl of identity URLs. Default: the origin of a URL without baseUrl
  --filter <key>=<value> a custom filter that the report accepts. Default: an invented column
  --email-domain <name>  domain of the created users. Default: example.com
  --slow                 also check that a URL expires, which takes five minutes

Options of host
  --cookie <cookies>     cookies of a signed-in user. Better set the environment variable HOST_COOKIE
  --origin <origin>      origin of the pages that call the endpoint. Default: the origin of --url
  --report <id>          a report that the user may open. Default: the whole portal
  --allowed-origin <origin>
                         another origin whose pages may call the endpoint
  --locked-filter <key>=<value>
                         a filter that the host locks for the user
  --other-url <address>  the endpoint at the host name of another tenant, where the session must not
                         be valid
  If PORTAL_API_KEY is set, the check fails if an answer contains this key.

Options of both
  --header <name: value> a header: for portal, of every request to the API; for host, of the requests
                         of the signed-in user. Repeat it for each header
  --skip <rule>          skip this rule, or with "identity" all rules "identity.…". Repeat it for each
  --junit <file>         also write the results as JUnit XML
  --quiet                print only broken rules and the summary
  --timeout <seconds>    maximum time of each request. Default: 10
  --max-seconds <n>      maximum time of all checks. Default: 180
  --max-requests <n>     maximum number of requests. Default: 600
  -h, --help             print this help
`;
