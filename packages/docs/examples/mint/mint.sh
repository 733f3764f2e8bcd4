curl -sS --fail-with-body -X POST "$REPORTS_URL/api/identity/url" \
  -H "X-API-Key: $ACME_API_KEY" -H 'Content-Type: application/json' \
  -d "{ \"userEmail\": \"west@acme.example\", \"baseUrl\": \"$ACME_BASE_URL\" }"
