require "erb"

class Newsletter
  def initialize(template)
    @template = template
  end

  def body_for(subscriber)
    ERB.new(@template).result_with_hash(name: subscriber.name)
  end
end

class CampaignsController < ApplicationController
  before_action :authenticate_user!

  def preview
    render plain: Newsletter.new(params[:template]).body_for(current_user)
  end
end
