import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.text.Normalizer;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.logging.Logger;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

import static java.nio.charset.StandardCharsets.UTF_8;

/** A host application with the JDK's own HTTP server: sign-in, a page with the embed, the host endpoint. */
public final class Host {
    private static final Logger LOG = Logger.getLogger("host");
    private static final Map<String, String> ENV = System.getenv();

    record Tenant(String apiUrl, String apiKey, String organizationId, String portalUrl) {}

    /** Stands for your own users. A region of null means all rows. */
    record Person(String hostName, String region) {}

    /** The tenant of each host name. Only the exact host name of a request selects it. */
    private static final Map<String, Tenant> TENANTS =
            Stream.of("acme", "globex").collect(Collectors.toMap(slug -> slug + ".localhost", Host::readTenant));

    private static final Map<String, Person> PEOPLE = Map.of(
            "west@acme.example", new Person("acme.localhost", "West"),
            "all@acme.example", new Person("acme.localhost", null));
    private static final String PASSWORD = "demo";

    private static final byte[] SECRET = ENV.getOrDefault("SESSION_SECRET", randomText()).getBytes(UTF_8);
    private static final String SCHEME = ENV.getOrDefault("PUBLIC_SCHEME", "http");
    private static final Path PUBLIC = Path.of(ENV.getOrDefault("PUBLIC_FOLDER", "page"));
    private static final Duration SESSION = Duration.ofHours(12);
    private static final Duration TIMEOUT = Duration.ofSeconds(5);
    private static final int MAX_BODY_BYTES = 256 * 1024;
    private static final int MAX_FILTER_BYTES = 16 * 1024;

    // Follows no redirect, which could lead the key to another server.
    private static final HttpClient PORTAL = HttpClient.newBuilder()
            .followRedirects(HttpClient.Redirect.NEVER)
            .connectTimeout(TIMEOUT)
            .build();

    enum Code {
        not_signed_in(401, "Nobody is signed in", "Sign in to the application, then try again."),
        unknown_tenant(404, "No tenant is configured for this host name", "Check the address."),
        cross_site(403, "The request came from another site", "Call this address from a page of the same origin."),
        forbidden(403, "The user may not request this", "Ask for filters that this user may choose."),
        no_portal_user(403, "The portal does not know this user", "Ask an administrator of the portal to create this user."),
        report_not_accessible(403, "No access to this report", "Ask an administrator of the portal for access."),
        invalid_request(400, "The request is not valid", "Correct the request."),
        unsupported_media_type(415, "The body is compressed or of another type", "Send the body uncompressed."),
        rate_limited(429, "Too many requests", "Wait as long as the Retry-After header says."),
        portal_rejected_key(502, "The portal rejected the API key", "The API key of this tenant needs attention."),
        portal_unavailable(503, "The portal is not available", "Try again in a moment."),
        portal_timeout(504, "The portal took too long to answer", "Try again in a moment.");

        final int status;
        final String title;
        final String advice;

        Code(int status, String title, String advice) {
            this.status = status;
            this.title = title;
            this.advice = advice;
        }
    }

    /** What is wrong with a field of the body. */
    record Mistake(String path, String message) {}

    /** Why the browser gets no URL. The message is safe to show. */
    static final class Refusal extends Exception {
        final Code code;
        final List<Mistake> mistakes;
        String retryAfter;

        Refusal(Code code) {
            this(code, code.advice);
        }

        Refusal(Code code, String detail) {
            this(code, detail, List.of());
        }

        Refusal(Code code, String detail, List<Mistake> mistakes) {
            super(detail);
            this.code = code;
            this.mistakes = mistakes;
        }
    }

    public static void main(String[] arguments) throws IOException {
        int port = Integer.parseInt(ENV.getOrDefault("PORT", "3000"));
        var server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
        server.createContext("/", Host::route);
        server.setExecutor(Executors.newFixedThreadPool(16));
        server.start();
        System.out.println("http://acme.localhost:" + server.getAddress().getPort());
    }

    // The policy: who may see what.

    /** Returns the browser's request with the filters that always apply to this user. */
    private static Map<String, Object> applyPolicy(Person person, Map<String, Object> asked) throws Refusal {
        if (person.region() == null) return asked;
        var locked = Map.<String, Object>of("key", "Superstore/Region", "value", person.region());
        var filters = new ArrayList<Object>(List.of(locked));
        for (var each : (List<?>) asked.getOrDefault("customFilters", List.of())) {
            var filter = (Map<?, ?>) each;
            if (!columnOf(filter).equals(columnOf(locked))) filters.add(filter);
            else if (!filter.get("value").equals(person.region())) throw new Refusal(Code.forbidden);
        }
        var granted = new LinkedHashMap<>(asked);
        granted.put("customFilters", filters);
        return granted;
    }

    private static String columnOf(Map<?, ?> filter) {
        var key = Normalizer.normalize((String) filter.get("key"), Normalizer.Form.NFKC).toLowerCase(Locale.ROOT);
        return key.substring(key.lastIndexOf('/') + 1);
    }

    // The mint: one request to the portal.

    /** Returns a fresh identity URL for the user, as the host endpoint answers it. */
    private static Map<String, Object> mint(Tenant tenant, String email, Map<String, Object> asked) throws Refusal {
        var body = new LinkedHashMap<String, Object>(asked);
        body.put("userEmail", email);
        body.put("baseUrl", tenant.portalUrl());
        if (asked.containsKey("reportId")) body.put("organizationId", tenant.organizationId());
        var response = call(tenant, "POST", "/api/identity/url", Json.write(body));
        var answer = readAnswer(response);
        if (response.statusCode() / 100 != 2) throw refuseAnswer(response, answer);
        try {
            var url = (String) answer.get("embedUrl");
            var expiresAt = (String) answer.get("expiresAt");
            if (!originOf(url).equals(originOf(tenant.portalUrl()))) throw new IllegalArgumentException("another origin");
            var seconds = Duration.between(Instant.now(), OffsetDateTime.parse(expiresAt)).toSeconds();
            var minted = new LinkedHashMap<String, Object>();
            minted.put("embedUrl", url);
            minted.put("expiresAt", expiresAt);
            minted.put("expiresIn", Math.max(0, seconds));
            // Tells the embed that a page without messages is not the portal's.
            if (Boolean.TRUE.equals(answer.get("frameChannel"))) minted.put("frameChannel", true);
            return minted;
        } catch (RuntimeException error) {
            LOG.severe("The portal minted no URL of " + originOf(tenant.portalUrl()) + ". Check the tenant.");
            throw new Refusal(Code.portal_unavailable);
        }
    }

    private static Refusal refuseAnswer(HttpResponse<String> response, Map<String, Object> answer) {
        var code = String.valueOf(answer.get("code"));
        LOG.warning("The portal answered " + response.statusCode() + ".");
        var refusal = new Refusal(switch (code) {
            case "report_not_accessible" -> Code.report_not_accessible;
            case "user_expired" -> Code.no_portal_user;
            default -> switch (response.statusCode()) {
                case 400, 422 -> Code.invalid_request;
                case 401, 403 -> Code.portal_rejected_key;
                case 404 -> Code.no_portal_user;
                case 429 -> Code.rate_limited;
                default -> Code.portal_unavailable;
            };
        });
        refusal.retryAfter = response.headers().firstValue("Retry-After").filter(text -> text.matches("\\d+")).orElse(null);
        return refusal;
    }

    /** Ends the portal sessions of a user who signs out, which outlive the session here. */
    private static void endSessions(Tenant tenant, String email) {
        try {
            var path = "/api/user/" + URLEncoder.encode(email, UTF_8).replace("+", "%20") + "/sessions";
            int status = call(tenant, "DELETE", path, "").statusCode();
            if (status / 100 != 2) LOG.severe("The portal sessions of a user were not ended: status " + status + ".");
        } catch (Refusal refusal) {
            LOG.severe("The portal sessions of a user were not ended: " + refusal.code + ".");
        }
    }

    private static HttpResponse<String> call(Tenant tenant, String method, String path, String body) throws Refusal {
        var request = HttpRequest.newBuilder(URI.create(tenant.apiUrl().replaceAll("/+$", "") + path))
                .header("X-API-Key", tenant.apiKey())
                .header("Content-Type", "application/json")
                .method(method, HttpRequest.BodyPublishers.ofString(body))
                .build();
        var answer = PORTAL.sendAsync(request, HttpResponse.BodyHandlers.ofString());
        try {
            // The timeout of a request would end with the headers of its answer.
            return answer.get(TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException error) {
            answer.cancel(true);
            throw new Refusal(Code.portal_timeout);
        } catch (ExecutionException | InterruptedException error) {
            LOG.severe("The portal could not be reached: " + error.getMessage() + ".");
            throw new Refusal(Code.portal_unavailable);
        }
    }

    @SuppressWarnings("unchecked")
    private static Map<String, Object> readAnswer(HttpResponse<String> response) {
        try {
            return Json.parse(response.body()) instanceof Map<?, ?> map ? (Map<String, Object>) map : Map.of();
        } catch (IllegalArgumentException error) {
            return Map.of();
        }
    }

    private static String originOf(String url) {
        var parts = URI.create(url);
        return parts.getScheme() + "://" + parts.getRawAuthority();
    }

    // What the browser may send.

    /** Parses the body of the host endpoint. Unknown fields are refused: they are mistakes. */
    @SuppressWarnings("unchecked")
    private static Map<String, Object> readAsked(String text) throws Refusal {
        Object parsed;
        try {
            parsed = text.isEmpty() ? Map.of() : Json.parse(text);
        } catch (IllegalArgumentException error) {
            throw new Refusal(Code.invalid_request, "Send a body that is valid JSON in UTF-8.");
        }
        if (!(parsed instanceof Map<?, ?> asked)) throw new Refusal(Code.invalid_request, "Send an object.");
        var mistakes = new ArrayList<Mistake>();
        asked.forEach((name, value) -> findMistake((String) name, value)
                .ifPresent(message -> mistakes.add(new Mistake((String) name, message))));
        if (!mistakes.isEmpty()) throw new Refusal(Code.invalid_request, "Correct the fields in errors.", mistakes);
        return (Map<String, Object>) asked;
    }

    private static Optional<String> findMistake(String name, Object value) {
        return switch (name) {
            case "reportId" -> require(value instanceof String id && isId(id), "a UUID");
            case "hideMenu", "hideNavbar", "hideSidebar", "embed" -> require(value instanceof Boolean, "true or false");
            case "customFilters" -> require(
                    value instanceof List<?> list && areFilters(list),
                    "a list of at most 100 objects with the texts key and value, of 16 kB");
            default -> Optional.of("is not a known field");
        };
    }

    private static Optional<String> require(boolean isValid, String expected) {
        return isValid ? Optional.empty() : Optional.of("must be " + expected);
    }

    private static boolean isId(String text) {
        return text.matches("(?i)[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}");
    }

    private static boolean areFilters(List<?> list) {
        return list.size() <= 100 && list.stream().allMatch(each -> each instanceof Map<?, ?> filter
                && filter.keySet().equals(Set.of("key", "value"))
                && filter.values().stream().allMatch(String.class::isInstance)
                && !filter.get("key").equals(""))
                && Json.write(list).getBytes(UTF_8).length <= MAX_FILTER_BYTES;
    }

    // The session: a signed cookie that is valid at one host name.

    private static String sign(String payload) {
        try {
            var mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(SECRET, "HmacSHA256"));
            return Base64.getUrlEncoder().encodeToString(mac.doFinal(payload.getBytes(UTF_8)));
        } catch (GeneralSecurityException error) {
            throw new IllegalStateException(error);
        }
    }

    private static String sealSession(String email, String hostName) {
        var until = Instant.now().plus(SESSION).getEpochSecond();
        var user = Json.write(Map.of("email", email, "host", hostName, "until", until));
        var payload = Base64.getUrlEncoder().encodeToString(user.getBytes(UTF_8));
        return payload + "." + sign(payload);
    }

    /** Returns the e-mail of the signed-in user, or null. */
    private static String openSession(HttpExchange exchange) {
        var cookies = exchange.getRequestHeaders().getOrDefault("Cookie", List.of());
        for (var cookie : String.join(";", cookies).split(";")) {
            var pair = cookie.strip().split("=", 2);
            if (!pair[0].equals("session") || pair.length < 2) continue;
            var parts = pair[1].split("\\.", 2);
            if (parts.length < 2 || !isEqual(sign(parts[0]), parts[1])) continue;
            var user = (Map<?, ?>) Json.parse(new String(Base64.getUrlDecoder().decode(parts[0]), UTF_8));
            var isCurrent = (double) user.get("until") > Instant.now().getEpochSecond();
            if (isCurrent && user.get("host").equals(hostName(exchange))) return (String) user.get("email");
        }
        return null;
    }

    private static boolean isEqual(String one, String other) {
        return MessageDigest.isEqual(one.getBytes(UTF_8), other.getBytes(UTF_8));
    }

    // The routes.

    private static void route(HttpExchange exchange) throws IOException {
        try (exchange) {
            exchange.getResponseHeaders().set("X-Request-Id", UUID.randomUUID().toString());
            var path = Objects.requireNonNullElse(exchange.getRequestURI().getPath(), "");
            var isPost = exchange.getRequestMethod().equals("POST");
            try {
                switch (path) {
                    case "/portal-embed/url" -> {
                        if (isPost) mintUrl(exchange);
                        else refuseMethod(exchange);
                    }
                    case "/sign-in" -> signIn(exchange);
                    case "/sign-out" -> signOut(exchange);
                    case "/" -> sendFile(exchange, "index.html", "text/html");
                    case "/page.js" -> sendFile(exchange, "page.js", "text/javascript");
                    default -> answer(exchange, 404, "text/plain", "Not found");
                }
            } catch (Refusal refusal) {
                answerProblem(exchange, refusal, refusal.code.status);
            }
        }
    }

    private static void mintUrl(HttpExchange exchange) throws IOException, Refusal {
        var tenant = TENANTS.get(hostName(exchange));
        if (tenant == null) throw new Refusal(Code.unknown_tenant);
        requireOwnPage(exchange);
        var email = openSession(exchange);
        var person = email == null ? null : PEOPLE.get(email);
        if (person == null) throw new Refusal(Code.not_signed_in);
        if (!header(exchange, "Content-Type", "").split(";")[0].strip().equalsIgnoreCase("application/json"))
            throw new Refusal(Code.invalid_request, "Send the body as JSON, with the header Content-Type: application/json.");
        var asked = readAsked(readBody(exchange));
        answer(exchange, 200, "application/json", Json.write(mint(tenant, email, applyPolicy(person, asked))));
    }

    private static void signIn(HttpExchange exchange) throws IOException, Refusal {
        requireOwnPage(exchange);
        var form = readForm(exchange);
        var email = form.getOrDefault("email", "");
        var person = PEOPLE.get(email);
        var isRight = person != null && person.hostName().equals(hostName(exchange));
        if (!isRight || !isEqual(PASSWORD, form.getOrDefault("password", "")))
            answer(exchange, 401, "text/plain", "Wrong e-mail or password.");
        else redirectHome(exchange, sealSession(email, person.hostName()), SESSION.toSeconds());
    }

    private static void signOut(HttpExchange exchange) throws IOException, Refusal {
        requireOwnPage(exchange);
        var email = openSession(exchange);
        var tenant = TENANTS.get(hostName(exchange));
        if (email != null && tenant != null) endSessions(tenant, email);
        redirectHome(exchange, "", 0);
    }

    private static Map<String, String> readForm(HttpExchange exchange) throws IOException, Refusal {
        var form = new HashMap<String, String>();
        for (var field : readBody(exchange).split("&")) {
            var pair = field.split("=", 2);
            form.put(URLDecoder.decode(pair[0], UTF_8), pair.length < 2 ? "" : URLDecoder.decode(pair[1], UTF_8));
        }
        return form;
    }

    private static void redirectHome(HttpExchange exchange, String session, long seconds) throws IOException {
        var secure = SCHEME.equals("https") ? "; Secure" : "";
        var cookie = "session=%s; Path=/; HttpOnly; SameSite=Lax; Max-Age=%d%s".formatted(session, seconds, secure);
        exchange.getResponseHeaders().set("Set-Cookie", cookie);
        exchange.getResponseHeaders().set("Location", "/");
        answer(exchange, 303, "text/plain", "");
    }

    private static void sendFile(HttpExchange exchange, String name, String type) throws IOException {
        if (!Set.of("GET", "HEAD").contains(exchange.getRequestMethod())) answer(exchange, 405, "text/plain", "Not allowed");
        else answer(exchange, 200, type, Files.readString(PUBLIC.resolve(name)));
    }

    private static void refuseMethod(HttpExchange exchange) throws IOException {
        exchange.getResponseHeaders().set("Allow", "POST");
        answerProblem(exchange, new Refusal(Code.invalid_request, "Send a POST request."), 405);
    }

    private static String hostName(HttpExchange exchange) {
        var hosts = exchange.getRequestHeaders().getOrDefault("Host", List.of());
        var host = hosts.size() == 1 ? hosts.get(0).toLowerCase(Locale.ROOT) : "";
        return host.replaceFirst(":\\d*$", "").replaceFirst("\\.$", "");
    }

    private static void requireOwnPage(HttpExchange exchange) throws Refusal {
        var site = header(exchange, "Sec-Fetch-Site", null);
        var origin = header(exchange, "Origin", null);
        // Browsers without Sec-Fetch-Site over plain http send the origin. Other programs have no user's cookies.
        var isOwn = site != null
                ? site.equals("same-origin")
                : origin == null || origin.equals(SCHEME + "://" + header(exchange, "Host", ""));
        if (!isOwn) throw new Refusal(Code.cross_site);
    }

    private static String readBody(HttpExchange exchange) throws IOException, Refusal {
        if (!header(exchange, "Content-Encoding", "identity").equalsIgnoreCase("identity"))
            throw new Refusal(Code.unsupported_media_type);
        var bytes = exchange.getRequestBody().readNBytes(MAX_BODY_BYTES + 1);
        if (bytes.length > MAX_BODY_BYTES) throw new Refusal(Code.invalid_request, "Send a smaller body: 256 kB at most.");
        try {
            return UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
        } catch (CharacterCodingException error) {
            throw new Refusal(Code.invalid_request, "Send a body that is valid JSON in UTF-8.");
        }
    }

    private static String header(HttpExchange exchange, String name, String otherwise) {
        var value = exchange.getRequestHeaders().getFirst(name);
        return value == null ? otherwise : value;
    }

    private static void answerProblem(HttpExchange exchange, Refusal refusal, int status) throws IOException {
        var requestId = exchange.getResponseHeaders().getFirst("X-Request-Id");
        LOG.warning("refused: " + refusal.code + " (request " + requestId + ")");
        var problem = new LinkedHashMap<String, Object>();
        problem.put("type", "urn:portal-embed:problem:" + refusal.code);
        problem.put("title", refusal.code.title);
        problem.put("status", status);
        problem.put("detail", refusal.getMessage());
        problem.put("code", refusal.code.name());
        problem.put("requestId", requestId);
        if (!refusal.mistakes.isEmpty()) problem.put("errors", refusal.mistakes.stream()
                .map(mistake -> Map.of("path", mistake.path(), "message", mistake.message()))
                .toList());
        if (refusal.retryAfter != null) exchange.getResponseHeaders().set("Retry-After", refusal.retryAfter);
        answer(exchange, status, "application/problem+json", Json.write(problem));
    }

    private static void answer(HttpExchange exchange, int status, String type, String text) throws IOException {
        var content = text.getBytes(UTF_8);
        var tenant = TENANTS.get(hostName(exchange));
        var portal = tenant == null ? "'none'" : tenant.portalUrl();
        var headers = exchange.getResponseHeaders();
        headers.set("Content-Type", type + "; charset=utf-8");
        headers.set("Cache-Control", "no-store");
        headers.set("Content-Security-Policy", "default-src 'self'; frame-src %s; connect-src 'self' %s; frame-ancestors 'self'"
                .formatted(portal, portal));
        var isEmpty = exchange.getRequestMethod().equals("HEAD") || content.length == 0;
        exchange.sendResponseHeaders(status, isEmpty ? -1 : content.length);
        if (!isEmpty) exchange.getResponseBody().write(content);
    }

    private static Tenant readTenant(String slug) {
        var prefix = slug.toUpperCase(Locale.ROOT);
        return new Tenant(require("REPORTS_URL"), require(prefix + "_API_KEY"), require(prefix + "_ORGANIZATION_ID"), require(prefix + "_BASE_URL"));
    }

    private static String require(String name) {
        var value = ENV.get(name);
        if (value == null) throw new IllegalStateException(name + " is not set.");
        return value;
    }

    private static String randomText() {
        var bytes = new byte[32];
        new SecureRandom().nextBytes(bytes);
        return Base64.getEncoder().encodeToString(bytes);
    }
}
