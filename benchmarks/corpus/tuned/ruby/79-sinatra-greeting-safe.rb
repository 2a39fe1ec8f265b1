require "sinatra"
require "cgi"

helpers do
  def page(title, body)
    "<!doctype html><title>#{title}</title><main>#{body}</main>"
  end
end

get "/search" do
  term = params["q"].to_s.strip
  hits = settings.index.find(term)
  page("Search", "<p>#{hits.size} results for #{CGI.escapeHTML(term)}</p>")
end
