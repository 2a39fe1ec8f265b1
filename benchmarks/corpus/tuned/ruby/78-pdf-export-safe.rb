require "sinatra"
require "open3"
require "tempfile"

class Exporter
  SIZES = %w[A4 A5 Letter].freeze

  def initialize(paper)
    @paper = SIZES.include?(paper) ? paper : "A4"
  end

  def render(html)
    source = Tempfile.new(["page", ".html"])
    source.write(html)
    source.close
    out, status = Open3.capture2("wkhtmltopdf", "-s", @paper, source.path, "-")
    raise "no PDF" unless status.success?

    out
  ensure
    source&.unlink
  end
end

post "/export" do
  content_type "application/pdf"
  Exporter.new(params["paper"]).render(request.body.read)
end
