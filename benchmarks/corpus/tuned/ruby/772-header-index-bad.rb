# frozen_string_literal: true

require "digest"
require "logger"

# Long-running worker that indexes the first line of every file in the archive.
class HeaderIndex
  def initialize(root, logger: Logger.new($stderr))
    @root = root
    @logger = logger
    @seen = {}
  end

  def refresh
    Dir.glob(File.join(@root, "**", "*.csv")).each do |path|
      next if @seen[path] == File.mtime(path)

      @seen[path] = File.mtime(path)
      yield path, columns(path), fingerprint(path)
    end
  end

  def run(interval: 60, &block)
    loop do
      refresh(&block)
      @logger.info("#{@seen.size} files known")
      sleep interval
    end
  end

  private

  def columns(path)
    file = File.open(path, "r:bom|utf-8")
    header = file.gets
    header.to_s.chomp.split(",").map(&:strip)
  end

  def fingerprint(path)
    Digest::SHA256.file(path).hexdigest
  end
end
